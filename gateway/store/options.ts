import type { ChangeExtent, ChangeOrigin } from '../../shared/api/option.ts'
import { isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { optionChangeStore } from './option-changes.ts'
import type { Db } from './sqlite/database.ts'

/** A new value and the value it replaces, both as stored strings. */
export type OptionWrite = Readonly<{ key: OptionKey; before: string; value: string }>

/** Who changes options, and through which interface; id 0 is the gateway itself. */
export type Author = Readonly<{ id: number; username: string; origin: ChangeOrigin }>

export type StoredOption = Readonly<{ key: string; value: string }>

/** Storage of option values; secret values are encrypted in the table and plain outside of it. */
export type OptionTable = Readonly<{
  load(): Promise<StoredOption[]>
  /**
   * Stores all values and records the changes in the history, or stores nothing. Returns false, and stores nothing, if
   * the table differs from the rows `read`.
   */
  save(writes: readonly OptionWrite[], author: Author, read?: readonly StoredOption[]): Promise<boolean>
}>

export type OptionStamp = Readonly<{ key: string; updated_at: number; updated_by: string }>

/**
 * Max characters, old and new value together, that the history stores of a change; for longer values it records only
 * who changed what.
 */
const MAX_HISTORY_CHARACTERS = 1_000_000

type Dependencies = Readonly<{ db: Db; vault: Vault; clock: Clock; log: Logger }>

/**
 * The `options` table (docs/reference/options.md#secrets). A secret that cannot be decrypted counts as empty and is
 * logged by name; its row stays, so it becomes readable again with the right data key.
 */
export const optionTable = ({ db, vault, clock, log }: Dependencies): OptionTable => ({
  load: () => loadFrom(db, vault, log),
  async save(writes, author, read) {
    const now = unixSeconds(clock)
    const work = async (transaction: Db) => {
      if (read && !areSame(read, await loadFrom(transaction, vault, log))) return false
      for (const { key, before, value } of writes) {
        const stored = isSecret(key) && value !== '' ? vault.seal(value, contextOf(key)) : value
        const stamp = { updated_at: now, updated_by: author.username }
        await transaction
          .insertInto('options')
          .values({ key, value: stored, ...stamp })
          // Storing the current value again is not a change, so the stamp stays.
          .onConflict((row) => row.column('key').doUpdateSet({ value: stored, ...(before === value ? {} : stamp) }))
          .execute()
      }
      await optionChangeStore(transaction).add(changesOf(writes, author, now))
      return true
    }
    // Joins the caller's transaction if there is one.
    return db.isTransaction ? work(db) : db.transaction().execute(work)
  },
})

async function loadFrom(db: Db, vault: Vault, log: Logger): Promise<StoredOption[]> {
  const rows = await db.selectFrom('options').select(['key', 'value']).execute()
  return rows.map(({ key, value }) => ({ key, value: isSecret(key) ? opened(key, value, vault, log) : value }))
}

function areSame(one: readonly StoredOption[], other: readonly StoredOption[]): boolean {
  const values = new Map(one.map(({ key, value }) => [key, value]))
  return one.length === other.length && other.every(({ key, value }) => values.get(key) === value)
}

export const optionStamps = (db: Db): Promise<OptionStamp[]> =>
  db.selectFrom('options').select(['key', 'updated_at', 'updated_by']).execute()

const changesOf = (writes: readonly OptionWrite[], author: Author, now: number) =>
  writes
    .filter(({ before, value }) => before !== value)
    .map((write) => ({
      created_at: now,
      user_id: author.id,
      username: author.username,
      origin: author.origin,
      key: write.key,
      ...historyValues(write),
    }))

type HistoryValues = Readonly<{ kept: ChangeExtent; size: number; before: string | null; after: string | null }>

function historyValues({ key, before, value: after }: OptionWrite): HistoryValues {
  if (isSecret(key)) return { kept: 'secret', size: 0, before: secretState(before), after: secretState(after) }
  const size = before.length + after.length
  if (size > MAX_HISTORY_CHARACTERS) return { kept: 'too_long', size: 0, before: null, after: null }
  return { kept: 'whole', size, before, after }
}

const secretState = (value: string) => (value === '' ? 'cleared' : 'set')

const contextOf = (key: string) => `options|${key}|value`

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true

function opened(key: string, stored: string, vault: Vault, log: Logger): string {
  if (stored === '') return ''
  try {
    return vault.open(stored, contextOf(key))
  } catch (error) {
    log.warn('a secret setting cannot be opened; enter it again', { option: key, error })
    return ''
  }
}
