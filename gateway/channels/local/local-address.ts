import { refuse } from '../../base/errors.ts'
import { isHomeHost } from '../../base/network/home-address.ts'
import { addressIn, networks } from '../../base/network/ip-address.ts'

/**
 * Normalizes an address entered by a user to an origin such as `http://host:port`, on this machine or a private network
 * (docs/reference/local-models.md#addresses). Drops the path, since users paste `…/v1`. Throws `local.address` for
 * anything else.
 */
export function localAddress(entered: string): string {
  const text = entered.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.port === '0' || !isHomeHost(url.hostname)) throw refuse('invalid', 'local.address')
  return url.origin
}

const isLoopback = networks(['127.0.0.0/8', '::1'])

/**
 * A canonical `host:port`, with one name for `localhost` and all loopback addresses; empty if the address is invalid.
 */
export function targetOf(base: string): string {
  const url = URL.parse(base)
  if (!url) return ''
  const host = url.hostname.replace(/\.$/, '')
  const address = addressIn(host)
  const isHere = host === 'localhost' || (address !== undefined && isLoopback(address))
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${isHere ? 'here' : host}:${port}`
}
