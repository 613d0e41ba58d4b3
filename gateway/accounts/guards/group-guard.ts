import { decodeOption } from '../../../shared/options/index.ts'
import { OptionRefusal } from '../../../shared/options/wire.ts'
import { hasUnseen, withoutUnseen } from '../../../shared/unseen.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { DEFAULT_GROUP } from '../groups.ts'
import type { OptionChange } from './root-guard.ts'

/**
 * Throws if an option change would silently change prices by removing `default` or a group that accounts are in, or
 * would add a group whose name contains invisible characters.
 */
export type GroupGuard = (changes: readonly OptionChange[]) => Promise<void>

type GroupRatios = Readonly<Record<string, number>>

const MAX_NAMED = 5

/**
 * A group missing from GroupRatio has ratio 1, so removing one would change prices unnoticed: a group with accounts
 * keeps its ratio until they are moved to another group, and `default`, the group of visitors and of accounts without a
 * group, always keeps it (docs/reference/accounts.md#groups).
 */
export const createGroupGuard =
  ({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): GroupGuard =>
  async (changes) => {
    const next = ratiosIn(changes)
    if (next === undefined) return
    if (!Object.hasOwn(next, DEFAULT_GROUP)) throw refuse('invalid', 'option.group_default', { name: DEFAULT_GROUP })
    const unseen = Object.keys(next).find((name) => hasUnseen(name) && !Object.hasOwn(settings.get('GroupRatio'), name))
    if (unseen !== undefined) throw refuse('invalid', 'option.group_unseen', { name: withoutUnseen(unseen) })
    const used = await groupsLeftBehind(db, settings.get('GroupRatio'), next)
    if (used.length === 0) return
    const named = used.slice(0, MAX_NAMED).join(', ')
    throw refuse('invalid', 'option.group_used', { names: used.length > MAX_NAMED ? `${named}, …` : named })
  }

async function groupsLeftBehind(db: Db, before: GroupRatios, next: GroupRatios): Promise<string[]> {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(next, name))
  if (removed.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('group')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('group', '!=', '')
    .orderBy('group')
    .execute()
  const removedSet = new Set(removed)
  return rows.map(({ group }) => group).filter((group) => removedSet.has(group))
}

/** The new value of GroupRatio; undefined if it does not change, or cannot be read, which another check rejects. */
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
