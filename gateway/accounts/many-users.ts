import type { ChangedUsers, UsersChange } from '../../shared/api/user-admin.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { GatewayError } from '../base/errors.ts'
import { yieldToOthers } from '../base/fair-yield.ts'
import { storageRefusal } from '../base/storage-fault.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Manager } from './guards/managing.ts'
import type { UserAdmin } from './user-admin.ts'

type ManyUsersDeps = Readonly<{ db: Db; users: Pick<UserAdmin, 'manage' | 'update'> }>

/**
 * Applies one change to each account in a separate transaction, under the same rules as for one account. Returns how
 * many accounts were changed, and the others with the reason. Continues after a refusal, even one caused by a full
 * disk, so that the caller knows for each account whether it was changed.
 */
export async function changeUsers(deps: ManyUsersDeps, by: Manager, change: UsersChange): Promise<ChangedUsers> {
  const ids = [...new Set(change.ids)]
  const names = await userStore(deps.db).namesOf(ids)
  const refused: ChangedUsers['refused'] = []
  for (const id of ids) {
    // Each change is a commit, which takes milliseconds.
    await yieldToOthers()
    try {
      await changeUser(deps.users, by, id, change)
    } catch (cause) {
      const refusal = cause instanceof GatewayError ? cause : storageRefusal(cause)
      if (!refusal) throw cause
      const message = formatMessage(by.locale, refusal.key, refusal.params)
      refused.push({ id, username: names.get(id) ?? '', message })
    }
  }
  return { changed: ids.length - refused.length, refused }
}

async function changeUser(users: ManyUsersDeps['users'], by: Manager, id: number, change: UsersChange): Promise<void> {
  const { action, group, amount, idempotency_key } = change
  if (action !== undefined) await users.manage(by, id, action)
  if (group !== undefined) await users.update(by, { id, group })
  // With the base 0, the amount is added to the current balance instead of replacing it.
  if (amount !== undefined) await users.update(by, { id, quota: amount, quota_base: 0, idempotency_key })
}
