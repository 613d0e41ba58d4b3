import type { ManagedUser, UserAction } from '../../../shared/api/user-admin.ts'
import { role, userStatus } from '../../../shared/enums.ts'

type Ranked = Readonly<{ role: number }>

/** The fields that determine which actions are allowed. */
type Account = Pick<ManagedUser, 'role' | 'status' | 'DeletedAt'>

/**
 * Whether a user may change an account: it is not deactivated, and it has a lower role or the user is the super
 * administrator.
 */
export const mayChange = (by: Ranked, of: Account): boolean => of.DeletedAt === null && isAbove(by, of)

/** Whether a user ranks above an account; the super administrator ranks above all, including themselves. */
export const isAbove = (by: Ranked, of: Ranked): boolean => by.role >= role.root || of.role < by.role

/** An account's actions; `reset` removes its second factors. */
export type OfferedAction = UserAction | 'reset'

/** The actions offered to a user, by the rules of docs/reference/accounts.md#managing-accounts. */
export function actionsFor(by: Ranked, of: Account): readonly OfferedAction[] {
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

/** Whether a disabled account can be enabled: only bans can be lifted. */
export const canEnable = ({ status }: Pick<Account, 'status'>): boolean => status === userStatus.banned
