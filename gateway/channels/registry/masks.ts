import { hidesSecret, isMask, maskOf } from '../../../shared/secret-mask.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import { refuse } from '../../base/errors.ts'
import { isObject, parsed } from '../../base/json/json.ts'

export function masked(text: string): string {
  const value = valueIn(text)
  if (!isObject(value) || secretsIn(text).length === 0) return text
  return JSON.stringify(mapTexts(value, (one, isHidden) => maskOf(one, isHidden)))
}

/**
 * Replaces the masks in a submitted column with the stored values. Throws `channel.secret_again` if no such secret is
 * stored, or if other parts of the value changed: a password is not sent to another host.
 */
export function unmasked(text: string, stored: string): string {
  const value = valueIn(text)
  if (!isObject(value)) return text
  const known = textsIn(stored)
  let hasMask = false
  const unmaskedValue = mapTexts(value, (one, isHidden, path) => {
    if (!isMask(one)) return one
    const was = known.get(path)
    if (was === undefined || maskOf(was, isHidden) !== one)
      throw refuse('invalid', 'channel.secret_again', { field: path.slice(1) })
    hasMask = true
    return was
  })
  return hasMask ? JSON.stringify(unmaskedValue) : text
}

/** Whether a submitted column keeps a stored secret; an omitted column keeps all. */
export const keepsSecrets = (text: string | null | undefined, stored: string): boolean =>
  secretsIn(stored).length > 0 && (typeof text !== 'string' || holdsMask(text))

/**
 * The secrets in a JSON column: of URLs, the password as written and decoded; of other texts, also the part after
 * `Bearer` or `Basic`.
 */
export function secretsIn(text: string): string[] {
  const secrets: string[] = []
  mapTexts(valueIn(text), (one, isHidden) => {
    const shown = maskOf(one, isHidden)
    if (shown !== one) secrets.push(...partsOf(one, isMask(shown) && shown.includes('@')))
    return one
  })
  return secrets
}

/** Most channels have neither settings nor overrides. */
const valueIn = (text: string): unknown => (text === '' ? undefined : parsed(text))

function partsOf(text: string, isAddress: boolean): string[] {
  if (!isAddress) return [text, text.replace(/^\s*(bearer|basic)\s+/i, '').trim()]
  const scheme = text.indexOf('://')
  const user = scheme < 0 ? '' : text.slice(scheme + 3, Math.max(scheme + 3, text.lastIndexOf('@')))
  const password = user.slice(user.indexOf(':') + 1)
  return [password, percentDecoded(password)]
}

function holdsMask(text: string): boolean {
  return [...textsIn(text).values()].some(isMask)
}

function textsIn(text: string): Map<string, string> {
  const texts = new Map<string, string>()
  mapTexts(valueIn(text), (one, _isHidden, path) => {
    texts.set(path, one)
    return one
  })
  return texts
}

type Change = (text: string, isHidden: boolean, path: string) => string

/**
 * Maps every string in a JSON value; a path is the member names and list indexes leading to the string, each preceded
 * by a dot.
 */
function mapTexts(value: unknown, change: Change, isHidden = false, path = ''): unknown {
  if (typeof value === 'string') return change(value, isHidden, path)
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, change, isHidden, `${path}.${at}`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      mapTexts(inner, change, isHidden || hidesSecret(name), `${path}.${name}`),
    ]),
  )
}
