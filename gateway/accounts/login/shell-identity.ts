import { role, userStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { requireRole } from '../guards/roles.ts'
import type { Actor, Identity } from './identity.ts'

/**
 * Identifies callers of this machine's command line (docs/reference/command-line.md#a-running-gateway): root, or the
 * account whose id the call names, since access to the data folder is access to all of its contents. Role limits apply
 * here too.
 */
export function createShellIdentity(db: Db): Identity {
  const users = userStore(db)
  const find = async (claimedId: string | undefined): Promise<UserRow | undefined> => {
    if (claimedId === undefined) return (await users.withRole(role.root))[0]
    return /^\d{1,15}$/.test(claimedId) ? users.byId(Number(claimedId)) : undefined
  }
  return {
    async require({ claimedId }, { minRole }) {
      const user = await find(claimedId)
      if (!user) throw refuse('unauthenticated', 'auth.none')
      if (user.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
      requireRole(user, minRole)
      return actorOf(user)
    },
    async visitor({ claimedId }) {
      const user = await find(claimedId)
      return user && actorOf(user)
    },
  }
}

const actorOf = ({ id, username, role: userRole, status, group }: UserRow): Actor => ({
  id,
  username,
  role: userRole,
  status,
  group,
  via: 'shell',
  isDesktop: false,
  signedInAt: 0,
})
