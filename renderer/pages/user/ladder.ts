import type { ManagedUser, UserAction } from '../../../shared/api/user-admin.ts'
import { role, userStatus } from '../../../shared/enums.ts'

type Standing = Readonly<{ role: number }>

/** How an account stands, as far as it decides what can be done with it. */
type Account = Pick<ManagedUser, 'role' | 'status' | 'DeletedAt'>

/** Whether a person may change an account: it stands lower, or the person is the super administrator; it is not deactivated. */
export const mayChange = (by: Standing, of: Account): boolean => of.DeletedAt === null && isAbove(by, of)

/** Whether a person stands above an account; the super administrator stands above all, themselves included. */
export const isAbove = (by: Standing, of: Standing): boolean => by.role >= role.root || of.role < by.role

/** What can be done with an account from its row; `reset` takes its second factors. */
export type OfferedAction = UserAction | 'reset'

/** What a person is offered to do with an account, by the ladder of docs/reference/accounts.md#managing-accounts. */
export function actionsFor(by: Standing, of: Account): readonly OfferedAction[] {
  if (!mayChange(by, of) || of.role === role.root) return []
  const isRoot = by.role >= role.root
  return [
    ...(isRoot && of.role < role.admin ? (['promote'] as const) : []),
    ...(isRoot && of.role > role.user ? (['demote'] as const) : []),
    of.status === userStatus.active ? 'disable' : 'enable',
    'reset',
    'delete',
  ]
}

/** Whether an account that is off can be enabled: only a ban is lifted. */
export const canEnable = ({ status }: Pick<Account, 'status'>): boolean => status === userStatus.banned
