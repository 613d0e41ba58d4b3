import { refuse } from '../../base/errors.ts'
import { isHomeHost } from '../../base/home-address.ts'
import { addressIn, networks } from '../../base/ip-address.ts'

/**
 * An address that a person has entered, as `http://host:port`: this machine or a private network alone
 * (docs/reference/local-models.md#addresses). A path behind it is left out, since people copy `…/v1`. Refuses
 * `local.address` for anything else.
 */
export function localAddress(entered: string): string {
  const text = entered.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.port === '0' || !isHomeHost(url.hostname)) throw refuse('invalid', 'local.address')
  return url.origin
}

const isLoopback = networks(['127.0.0.0/8', '::1'])

/** One spelling for each place: this machine has many names. Empty for what is no address. */
export function placeOf(base: string): string {
  const url = URL.parse(base)
  if (!url) return ''
  const host = url.hostname.replace(/\.$/, '')
  const address = addressIn(host)
  const isHere = host === 'localhost' || (address !== undefined && isLoopback(address))
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${isHere ? 'here' : host}:${port}`
}
