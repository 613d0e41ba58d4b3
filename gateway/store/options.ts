import { isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import type { Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from './database.ts'

/** What the settings keep their values in; secret values are sealed in the table and plain outside of it. */
export type OptionTable = Readonly<{
  load(): Promise<{ key: string; value: string }[]>
  save(key: OptionKey, value: string): Promise<void>
}>

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
  async save(key, value) {
    const stored = isSecret(key) && value !== '' ? vault.seal(value, placeOf(key)) : value
    const updated_at = unixSeconds(clock)
    await db
      .insertInto('options')
      .values({ key, value: stored, updated_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: stored, updated_at }))
      .execute()
  },
})

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
