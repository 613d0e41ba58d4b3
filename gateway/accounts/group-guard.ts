import { decodeOption } from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { hasUnseen, withoutUnseen } from '../../shared/unseen.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { DEFAULT_GROUP } from './groups.ts'
import type { OptionChange } from './root-guard.ts'

/** Refuses a change of options that would change what accounts pay by taking their group away. */
export type GroupGuard = (changes: readonly OptionChange[]) => Promise<void>

type GroupRatios = Readonly<Record<string, number>>

/** Groups that a refusal names. */
const MAX_NAMED = 5

/**
 * A group that GroupRatio does not have costs 1, so nobody's group may leave it unnoticed: a group in which accounts are keeps
 * its ratio until they are in another one, and `default`, where accounts without a group and visitors are, keeps it always
 * (docs/reference/accounts.md#groups).
 */
export const createGroupGuard =
  ({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): GroupGuard =>
  async (changes) => {
    const next = ratiosIn(changes)
    if (next === undefined) return
    if (!Object.hasOwn(next, DEFAULT_GROUP)) throw refuse('invalid', 'option.group_default', { name: DEFAULT_GROUP })
    const unseen = Object.keys(next).find((name) => hasUnseen(name) && !Object.hasOwn(settings.get('GroupRatio'), name))
    if (unseen !== undefined) throw refuse('invalid', 'option.group_unseen', { name: withoutUnseen(unseen) })
    const left = await groupsLeftBehind(db, settings.get('GroupRatio'), next)
    if (left.length === 0) return
    const named = left.slice(0, MAX_NAMED).join(', ')
    throw refuse('invalid', 'option.group_used', { names: left.length > MAX_NAMED ? `${named}, …` : named })
  }

/** Groups of accounts that have a ratio now and would have none, by name. */
async function groupsLeftBehind(db: Db, before: GroupRatios, next: GroupRatios): Promise<string[]> {
  const taken = Object.keys(before).filter((name) => !Object.hasOwn(next, name))
  if (taken.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('group')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('group', '!=', '')
    .orderBy('group')
    .execute()
  const gone = new Set(taken)
  return rows.map(({ group }) => group).filter((group) => gone.has(group))
}

/** The ratios that would be in force; what cannot be read is refused by its own check. */
function ratiosIn(changes: readonly OptionChange[]): GroupRatios | undefined {
  const change = changes.find(({ key }) => key === 'GroupRatio')
  if (change === undefined) return undefined
  try {
    return decodeOption('GroupRatio', change.value)
  } catch (error) {
    if (error instanceof OptionRefusal) return undefined
    throw error
  }
}
