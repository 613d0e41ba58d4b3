import { type UserAction, userActions } from '../../shared/api/user-admin.ts'
import { role, userStatus } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { refuse } from '../base/errors.ts'
import type { UserPatch } from '../store/accounts/users.ts'
import type { UserRow } from '../store/schema/schema.ts'

type Decided = Readonly<{ patch: UserPatch; ends: boolean; logKey: `log.user_${UserAction}` }>

type HasRole = Readonly<{ role: number }>

/** Throws unless the caller's role is above the account's; root is above all, including itself. */
export function requireAbove(by: HasRole, target: HasRole, messageKey: MessageKey): void {
  if (by.role < role.root && target.role >= by.role) throw refuse('forbidden', messageKey)
}

/**
 * Returns the changes that an action makes (docs/reference/accounts.md#managing-accounts); throws if it is not allowed.
 */
export function decideAction(by: HasRole, row: UserRow, action: string, nowSeconds: number): Decided {
  const name = userActions.find((one) => one === action)
  if (!name) throw refuse('invalid', 'user.bad_action')
  if (row.deleted_at !== null) throw refuse('invalid', 'auth.deactivated')
  const patch = decisions[name](by, row, nowSeconds)
  return { patch, ends: name !== 'enable', logKey: `log.user_${name}` }
}

const decisions: Readonly<Record<UserAction, (by: HasRole, row: UserRow, nowSeconds: number) => UserPatch>> = {
  promote(by, row) {
    if (by.role < role.root) throw refuse('forbidden', 'user.promote_root_only')
    if (row.role >= role.admin) throw refuse('invalid', 'user.already_admin')
    return { role: role.admin }
  },
  demote(by, row) {
    if (row.role === role.root) throw refuse('forbidden', 'user.root_demote')
    requireAbove(by, row, 'user.higher_write')
    if (row.role <= role.user) throw refuse('invalid', 'user.already_normal')
    return { role: role.user }
  },
  disable(by, row) {
    if (row.role === role.root) throw refuse('forbidden', 'user.root_disable')
    requireAbove(by, row, 'user.higher_write')
    return { status: userStatus.banned }
  },
  enable(by, row) {
    requireAbove(by, row, 'user.higher_write')
    if (row.status !== userStatus.active && row.status !== userStatus.banned)
      throw refuse('invalid', 'user.unknown_status')
    return { status: userStatus.active }
  },
  delete(by, row, nowSeconds) {
    if (row.role === role.root) throw refuse('forbidden', 'user.root_delete')
    requireAbove(by, row, 'user.delete_higher')
    return { deleted_at: nowSeconds }
  },
}
