import { channelTypes } from '../../../shared/channel-types.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { isObject, parsed } from '../../base/json.ts'

/** Shorter keys show nothing of themselves. */
const LONG_KEY = 20
const TAIL = 4

/**
 * The keys in a text: one a line, or for Vertex the whole text, where a JSON list of service accounts is one
 * key each. Empty when nothing but white space is there.
 */
export function keysFrom(type: number, text: string): string[] {
  if (type === channelTypes.vertex.id) {
    const whole = text.trim()
    return serviceAccounts(whole) ?? (whole === '' ? [] : [whole])
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Several keys, each once, as the column of one channel holds them: what `keysFrom` reads. */
export function keysTogether(type: number, keys: readonly string[]): string {
  const own = [...new Set(keys)]
  return type === channelTypes.vertex.id && own.length > 1 ? `[${own.join(',')}]` : own.join('\n')
}

/** A fingerprint that tells a channel's keys apart and gives none of them away: 16 hexadecimal digits. */
export const keyIdOf = (key: string): string => sha256(key).slice(0, 16)

/** The end of a key, by which a person knows it; empty where that would tell too much of it. */
export const tailOf = (key: string): string => (key.length < LONG_KEY || key.startsWith('{') ? '' : key.slice(-TAIL))

function serviceAccounts(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  const accounts = parsed(text)
  if (!Array.isArray(accounts) || !accounts.every(isObject))
    throw refuse('invalid', 'input.invalid', { reason: 'key: JSON' })
  return accounts.map((account) => JSON.stringify(account))
}
