import type { Jobs } from '../base/jobs.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Settings } from '../settings/settings.ts'
import type { PendingLogins } from '../shared-state/pending-logins.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import type { Store } from '../store/store.ts'
import { createFactorRule, type FactorRule } from './factors/factor-rule.ts'
import { createSecondFactor, type SecondFactor } from './factors/second-factor.ts'
import { createHandovers, type Handovers } from './login/handover.ts'
import { createIdentity, type Identity } from './login/identity.ts'
import { createLoginGate, type LoginGate } from './login/login-gate.ts'
import { createRecentLogin, type RecentLogin } from './login/recent-login.ts'
import { createSessions, type Device, type Sessions } from './login/sessions.ts'
import { createSetup, type Setup, type SetupDeps } from './login/setup.ts'
import { createSignIn, type SignIn } from './login/sign-in.ts'
import { createTickets, type Tickets } from './login/ticket.ts'
import { createRequirePassword, type RequirePassword } from './own-password.ts'

export interface AccessCheck {
  sessions: Sessions
  identity: Identity
  signIn: SignIn
  setup: Setup
  tickets: Tickets
  handovers: Handovers
  secondFactor: SecondFactor
  factorRule: FactorRule
  loginGate: LoginGate
  recentLogin: RecentLogin
  requirePassword: RequirePassword
  stop(): Promise<void>
}

type AccessDeps = Omit<SetupDeps, 'settings'> &
  Readonly<{
    settings: Pick<Settings, 'get' | 'set'>
    /** Counts attempts to log in; `codeAttempts` counts codes of the second factor. */
    attempts: RateWindow
    codeAttempts: RateWindow
    /** Limits how often the desktop window requests its session. */
    handoverRequests: RateWindow
    jobs: Jobs
    pending: PendingLogins
    vault: Vault
    store: Pick<Store, 'requests'>
  }>

const CLEANUP_MS = 3_600_000

export async function createAccess(deps: AccessDeps): Promise<AccessCheck> {
  const { db, clock, jobs, log } = deps
  const sessions = createSessions({ db, clock, log })
  const cleanUp = jobs.begin({
    name: 'sessions',
    everyMs: CLEANUP_MS,
    removesByAge: true,
    work: async ({ signal }) => ({ key: 'job.removed', params: { n: await sessions.cleanUp(signal) } }),
  })
  const noteFailure = (userId: number, device: Device): Promise<void> =>
    loginGate.note(userId, 'password', false, device)
  const requirePassword = createRequirePassword({ ...deps, sessions, noteFailure })
  const secondFactor = createSecondFactor({ ...deps, sessions, requirePassword, attempts: deps.codeAttempts })
  const factorRule = createFactorRule(deps)
  const loginGate = createLoginGate({ ...deps, secondFactor })
  return {
    sessions,
    secondFactor,
    factorRule,
    loginGate,
    recentLogin: createRecentLogin(deps),
    identity: createIdentity({ db, sessions, factorRule, onIdentified: deps.store.requests.setAccount }),
    requirePassword,
    signIn: createSignIn({ ...deps, sessions, noteFailure }),
    setup: await createSetup(deps),
    tickets: createTickets(deps),
    handovers: createHandovers({ ...deps, requestRate: deps.handoverRequests }),
    stop: () => cleanUp.stop(),
  }
}
