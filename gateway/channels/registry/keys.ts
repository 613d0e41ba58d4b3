import { channelTypes } from '../../../shared/channel-types.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { isObject, parsed } from '../../base/json/json.ts'

/** No part of a shorter key is shown. */
const LONG_KEY = 20
const TAIL = 4

/**
 * Splits a text into keys: one per line; for Vertex, the whole text is one key, or each service account in a JSON list
 * is one. Empty if there is only white space.
 */
export function keysFrom(type: number, text: string): string[] {
  if (type === channelTypes.vertex.id) {
    const trimmed = text.trim()
    return serviceAccounts(trimmed) ?? (trimmed === '' ? [] : [trimmed])
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Joins keys, without duplicates, into the format `keysFrom` reads. */
export function keysTogether(type: number, keys: readonly string[]): string {
  const own = [...new Set(keys)]
  return type === channelTypes.vertex.id && own.length > 1 ? `[${own.join(',')}]` : own.join('\n')
}

/** A fingerprint that identifies a key without disclosing it: 16 hexadecimal digits. */
export const keyIdOf = (key: string): string => sha256(key).slice(0, 16)

/** The end of a key, for recognition; empty if it would disclose too much. */
export const tailOf = (key: string): string => (key.length < LONG_KEY || key.startsWith('{') ? '' : key.slice(-TAIL))

function serviceAccounts(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  const accounts = parsed(text)
  if (!Array.isArray(accounts) || !accounts.every(isObject))
    throw refuse('invalid', 'input.invalid', { reason: 'key: JSON' })
  return accounts.map((account) => JSON.stringify(account))
}
