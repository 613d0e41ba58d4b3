import type { ChangeKept, ChangeOrigin } from '../../shared/api/option.ts'
import { isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import type { Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from './database.ts'
import { optionChangeStore } from './option-changes.ts'

/** A value to store in place of the one in force, both as their strings. */
export type OptionWrite = Readonly<{ key: OptionKey; before: string; value: string }>

/** Who changes options, and by which way; id 0 is the gateway itself. */
export type Author = Readonly<{ id: number; username: string; origin: ChangeOrigin }>

/** What the settings keep their values in; secret values are sealed in the table and plain outside of it. */
export type OptionTable = Readonly<{
  load(): Promise<{ key: string; value: string }[]>
  /** Stores all of them, with what each changes in the history, or none. */
  save(writes: readonly OptionWrite[], author: Author): Promise<void>
}>

/** When an option was stored last, and by whom. */
export type OptionStamp = Readonly<{ key: string; updated_at: number; updated_by: string }>

/** Both values of a change are kept up to so many characters; else it is known who changed what, and nothing more. */
const KEPT_OF_ONE = 1_000_000

type Surroundings = Readonly<{ db: Db; vault: Vault; clock: Clock; log: Logger }>

/**
 * The `options` table (docs/reference/options.md#secrets). A secret this installation cannot open counts as empty and
 * is logged by name; the row stays as it is, so that the right data key brings it back.
 */
export const optionTable = ({ db, vault, clock, log }: Surroundings): OptionTable => ({
  async load() {
    const rows = await db.selectFrom('options').select(['key', 'value']).execute()
    return rows.map(({ key, value }) => ({ key, value: isSecret(key) ? opened(key, value, vault, log) : value }))
  },
  async save(writes, author) {
    const now = unixSeconds(clock)
    const work = async (transaction: Db) => {
      for (const { key, before, value } of writes) {
        const stored = isSecret(key) && value !== '' ? vault.seal(value, placeOf(key)) : value
        const stamp = { updated_at: now, updated_by: author.username }
        await transaction
          .insertInto('options')
          .values({ key, value: stored, ...stamp })
          // Who stores what was in force already has changed nothing.
          .onConflict((row) => row.column('key').doUpdateSet({ value: stored, ...(before === value ? {} : stamp) }))
          .execute()
      }
      await optionChangeStore(transaction).add(changesOf(writes, author, now))
    }
    // Within somebody's transaction it is part of that.
    await (db.isTransaction ? work(db) : db.transaction().execute(work))
  },
})

/** When each option that was ever stored was stored last, and by whom. */
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
      ...keptOf(write),
    }))

type Kept = Readonly<{ kept: ChangeKept; size: number; before: string | null; after: string | null }>

function keptOf({ key, before, value: after }: OptionWrite): Kept {
  if (isSecret(key)) return { kept: 'secret', size: 0, before: secretAs(before), after: secretAs(after) }
  const size = before.length + after.length
  if (size > KEPT_OF_ONE) return { kept: 'too_long', size: 0, before: null, after: null }
  return { kept: 'whole', size, before, after }
}

const secretAs = (value: string) => (value === '' ? 'cleared' : 'set')

const placeOf = (key: string) => `options|${key}|value`

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true

function opened(key: string, stored: string, vault: Vault, log: Logger): string {
  if (stored === '') return ''
  try {
    return vault.open(stored, placeOf(key))
  } catch (error) {
    log.warn('a secret setting cannot be opened; enter it again', { option: key, error })
    return ''
  }
}
