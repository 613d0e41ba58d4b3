import { sha256 } from '../../base/ids.ts'

/**
 * Function names that every vendor accepts: OpenAI and Anthropic refuse other characters, Gemini refuses other first
 * characters, and 64 is the shortest limit (docs/reference/conversion.md#tool-names).
 */
const VALID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

const MAX_LENGTH = 64
/** Characters of the hash that makes changed names unique; an underscore precedes it. */
const HASH_LENGTH = 8
const PREFIX_LENGTH = MAX_LENGTH - HASH_LENGTH - 1

/** Max characters of a group's name, which is repeated for each tool in the group. */
export const MAX_GROUP_NAME = 256

export function flatName(name: string, namespace?: string): string {
  const whole = namespace === undefined ? name : joined(namespace, name)
  return VALID.test(whole) ? whole : hashedName(whole)
}

export function hashedName(whole: string): string {
  const clean = whole.slice(0, MAX_LENGTH).replace(/[^A-Za-z0-9_-]/g, '_')
  const prefixed = /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`
  return `${prefixed.slice(0, PREFIX_LENGTH)}_${sha256(whole).slice(0, HASH_LENGTH)}`
}

/** Most agents name tools of a server `server__tool`; OpenAI's default group is not part of a name. */
function joined(namespace: string, name: string): string {
  if (namespace === DEFAULT_GROUP) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}

/** The group in which OpenAI's models have functions without a group. */
export const DEFAULT_GROUP = 'functions'
