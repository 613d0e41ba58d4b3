import { sha256 } from '../base/ids.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { nameOf, textOf } from './cells.ts'

/**
 * Hashes of what identifies an account of another gateway in a later copy of its database; empty if absent. All but the
 * invitation code, which is assigned once, may change.
 */
export type Facts = Readonly<Record<(typeof factNames)[number], string>>

const factNames = ['name', 'password', 'access', 'invitation'] as const

export const factsOf = (row: ForeignRow): Facts => ({
  name: hashOf(nameOf(row, 'username', 100).toLowerCase()),
  password: hashOf(textOf(row, 'password')),
  access: hashOf(textOf(row, 'access_token').trim()),
  invitation: hashOf(textOf(row, 'aff_code').trim()),
})

/** Hex digits of a stored hash. */
const HASH_LENGTH = 16

const hashOf = (text: string): string => (text === '' ? '' : sha256(text).slice(0, HASH_LENGTH))

export const encodeFacts = (facts: Facts): string => factNames.map((name) => facts[name]).join('.')

export function decodeFacts(text: string): Facts {
  const [name = '', password = '', access = '', invitation = ''] = text.split('.')
  return { name, password, access, invitation }
}

/**
 * How an account compares with an imported one that had the same id:
 *
 * - same: a secret, or the invitation code, agrees
 * - namesake: only the name agrees
 * - stranger: the name and everything else that can be compared differ
 * - other: the invitation codes differ
 */
export type Likeness = 'same' | 'namesake' | 'stranger' | 'other'

export function likenessOf(
  before: Facts,
  now: Facts,
  { hasSharedPassword, hasKey }: Readonly<{ hasSharedPassword: boolean; hasKey: boolean }>,
): Likeness {
  const agrees = (name: keyof Facts) => now[name] !== '' && before[name] === now[name]
  const isSamePassword = agrees('password') && (agrees('name') || !hasSharedPassword)
  if (hasKey || isSamePassword || agrees('access') || agrees('invitation')) return 'same'
  if (before.invitation !== '' && now.invitation !== '') return 'other'
  return agrees('name') ? 'namesake' : 'stranger'
}
