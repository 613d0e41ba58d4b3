import { type SessionView, security } from '../../../shared/api/security.ts'
import type { FactorRule } from '../../accounts/factors/factor-rule.ts'
import type { SecondFactor } from '../../accounts/factors/second-factor.ts'
import type { LoginGate } from '../../accounts/login/login-gate.ts'
import type { RecentLogin } from '../../accounts/login/recent-login.ts'
import type { Sessions } from '../../accounts/login/sessions.ts'
import type { UserAdmin } from '../../accounts/user-admin.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { ownLogRow } from '../../audit/log-rows.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { signInStore } from '../../store/accounts/sign-ins.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { serve } from '../serve.ts'
import { signedIn } from './complete-login.ts'
import { managerOf } from './user-admin.ts'

type SecurityApiDeps = Readonly<{
  db: Db
  loginGate: LoginGate
  secondFactor: SecondFactor
  factorRule: FactorRule
  recentLogin: Pick<RecentLogin, 'requireWithoutPassword'>
  sessions: Pick<Sessions, 'listOf' | 'endOne' | 'endOthers'>
  auditLog: AuditLog
  clock: Clock
  users: Pick<UserAdmin, 'resetFactors'>
}>

/** Two-factor authentication, sessions and the login history of an account (docs/reference/accounts.md#two-factors). */
export function securityApi(deps: SecurityApiDeps) {
  const { db, loginGate, secondFactor, factorRule, recentLogin, sessions, users, auditLog, clock } = deps
  const own = async (id: number): Promise<UserRow> => {
    const row = await userStore(db).byId(id)
    if (!row) throw refuse('unauthenticated', 'auth.deactivated')
    return row
  }
  return serve(security, {
    confirm: async ({ body, caller }) => {
      const user = await loginGate.confirm(body.code, caller, caller.browserMark.shown)
      await caller.signIn(user)
      return signedIn(user)
    },
    state: async ({ actor }) => ({
      enabled: await secondFactor.isOn(actor.id),
      backup_codes_remaining: await secondFactor.codesLeft(actor.id),
      has_password: (await own(actor.id)).password !== '',
      required: factorRule.isFor(actor.role),
      missing: await factorRule.isMissing(actor),
    }),
    propose: async ({ body, actor, caller }) => {
      await recentLogin.requireWithoutPassword(actor)
      return secondFactor.propose(await own(actor.id), body.password, caller)
    },
    enable: async ({ body, actor, caller }) => {
      const backup_codes = await secondFactor.enable(actor.id, body.code, caller)
      auditLog.record(ownLogRow({ ...actor, clock, locale: caller.locale }, 'log.factor_on'))
      return { backup_codes }
    },
    disable: async ({ body, actor, caller }) => {
      await factorRule.requireAnother(actor)
      await secondFactor.disable(actor.id, body.code, caller)
      auditLog.record(ownLogRow({ ...actor, clock, locale: caller.locale }, 'log.factor_off'))
      return null
    },
    renewCodes: async ({ body, actor, caller }) => ({
      backup_codes: await secondFactor.renewCodes(actor.id, body.code, caller),
    }),
    reset: async ({ params, actor, caller }) => {
      await users.resetFactors(managerOf(actor, caller), params.id)
      return null
    },
    sessions: async ({ actor, caller }): Promise<SessionView[]> => sessions.listOf(actor.id, caller.session),
    endSession: async ({ params, actor }) => {
      await sessions.endOne(actor.id, params.id)
      return null
    },
    endOthers: async ({ actor, caller }) => {
      await sessions.endOthers(actor.id, caller.session)
      return null
    },
    history: async ({ actor }) =>
      (await signInStore(db).newest(actor.id)).map(({ succeeded, ...row }) => ({ ...row, succeeded: succeeded === 1 })),
  })
}
