import { sha256 } from '../../base/ids.ts'

/**
 * Names of functions that every vendor takes: OpenAI and Anthropic refuse other characters, Gemini another beginning, and
 * 64 is the shortest of their limits (docs/reference/conversion.md#names-of-tools).
 */
const TAKEN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

const MAX_LENGTH = 64
/** Characters of the hash that tells shortened names apart, and the underscore before it. */
const HASH = 8
const KEPT = MAX_LENGTH - HASH - 1

/** The longest name of a group, in characters: it is read once more for each tool in the group. */
export const MAX_GROUP_NAME = 256

/**
 * The one name that stands for a tool and the group it is in, always the same for the same two: what a vendor would
 * refuse of it is replaced, and a hash then keeps it from meeting another.
 */
export function flatName(name: string, namespace?: string): string {
  const whole = namespace === undefined ? name : joined(namespace, name)
  return TAKEN.test(whole) ? whole : hashedName(whole)
}

/** The name with a hash of it at the end, whether it needs one or not. */
export function hashedName(whole: string): string {
  const clean = whole.replace(/[^A-Za-z0-9_-]/g, '_')
  const begun = /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`
  return `${begun.slice(0, KEPT)}_${sha256(whole).slice(0, HASH)}`
}

/** Tools of a server are known as `server__tool` in most agents; OpenAI's default group is no part of a name. */
function joined(namespace: string, name: string): string {
  if (namespace === DEFAULT_GROUP) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}

/** The group that OpenAI's models have functions in which are in none. */
export const DEFAULT_GROUP = 'functions'
