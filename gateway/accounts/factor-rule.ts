import { role } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { countSecondFactors } from './second-factors.ts'

/** An account, and whether it is seen from the desktop's own window, in a session that a ticket began. */
type FactorBearer = Readonly<{ id: number; role: number; isDesktop: boolean }>

/** Who must have a second factor, as the operator has it (docs/reference/accounts.md#two-factors-required). */
export interface FactorRule {
  /** Whether accounts of this role must have one; from memory. */
  isFor(role: number): boolean
  /**
   * Whether somebody must have one and has none. The database is asked of those alone who must; who is alone with the gateway,
   * at the desktop's own window, need not.
   */
  isMissing(bearer: FactorBearer): Promise<boolean>
  /** Refuses to take the last one from an account that must have one. */
  requireAnother(account: Pick<FactorBearer, 'id' | 'role'>): Promise<void>
}

/** The role from which on each choice holds. */
const minRoles = {
  nobody: Number.POSITIVE_INFINITY,
  root: role.root,
  admin: role.admin,
  everybody: role.user,
} as const

/** The rule over live settings: a change counts from the next call on. */
export function createFactorRule({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): FactorRule {
  const isFor = (held: number) => held >= minRoles[settings.get('TwoFactorRequiredRole')]
  return {
    isFor,
    async isMissing({ id, role: held, isDesktop }) {
      if (!isFor(held) || (isDesktop && settings.get('SelfUseModeEnabled'))) return false
      return (await countSecondFactors(db, id)) === 0
    },
    async requireAnother({ id, role: held }) {
      if (isFor(held) && (await countSecondFactors(db, id)) <= 1) throw refuse('forbidden', 'factor.kept')
    },
  }
}
