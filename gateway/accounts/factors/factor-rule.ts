import { role } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { countSecondFactors } from './second-factors.ts'

/** An account, and whether its session belongs to the desktop's own window, that is, was started by a ticket. */
type FactorBearer = Readonly<{ id: number; role: number; isDesktop: boolean }>

/** Which accounts must have a second factor, as configured (docs/reference/accounts.md#two-factors-required). */
export interface FactorRule {
  /** Whether accounts of this role must have a second factor. Reads memory only. */
  isFor(role: number): boolean
  /**
   * Whether an account must have a second factor and has none. Queries the database only for accounts that must. The
   * single user of a self-use gateway, in the desktop's own window, is exempt.
   */
  isMissing(bearer: FactorBearer): Promise<boolean>
  /** Throws if removing a second factor would leave an account that must have one without any. */
  requireAnother(account: Pick<FactorBearer, 'id' | 'role'>): Promise<void>
}

const minRoles = {
  nobody: Number.POSITIVE_INFINITY,
  root: role.root,
  admin: role.admin,
  everybody: role.user,
} as const

export function createFactorRule({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): FactorRule {
  const isFor = (userRole: number) => userRole >= minRoles[settings.get('TwoFactorRequiredRole')]
  return {
    isFor,
    async isMissing({ id, role: userRole, isDesktop }) {
      if (!isFor(userRole) || (isDesktop && settings.get('SelfUseModeEnabled'))) return false
      return (await countSecondFactors(db, id)) === 0
    },
    async requireAnother({ id, role: userRole }) {
      if (isFor(userRole) && (await countSecondFactors(db, id)) <= 1) throw refuse('forbidden', 'factor.kept')
    },
  }
}
