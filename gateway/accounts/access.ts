import { intervalJob } from '../base/interval-job.ts'
import type { Settings } from '../settings/settings.ts'
import { type JobLocks, onOneNode } from '../shared-state/job-locks.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import { createIdentity, type Identity } from './identity.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSetup, type Setup, type SetupDeps } from './setup.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createTickets, type Tickets } from './ticket.ts'

/** Everything about who may come in: built once, used by the console's API and by account rules. */
export interface AccessCheck {
  sessions: Sessions
  identity: Identity
  signIn: SignIn
  setup: Setup
  tickets: Tickets
  /** Ends the hourly removal of expired sessions. */
  stop(): Promise<void>
}

export type AccessDeps = Omit<SetupDeps, 'settings'> &
  Readonly<{ settings: Pick<Settings, 'get' | 'set'>; attempts: RateWindow; locks: JobLocks }>

const CLEANUP_MS = 3_600_000

/** Wires sessions, identity, sign-in, tickets and the first setup over one database. */
export async function createAccess(deps: AccessDeps): Promise<AccessCheck> {
  const { db, clock, locks, log } = deps
  const sessions = createSessions({ db, clock, log })
  const ending = new AbortController()
  const cleanUp = onOneNode(locks, 'expired sessions', () => sessions.cleanUp(ending.signal))
  const sweeper = intervalJob('expired sessions', CLEANUP_MS, cleanUp, log)
  return {
    sessions,
    identity: createIdentity({ db, sessions }),
    signIn: createSignIn({ ...deps, sessions }),
    setup: await createSetup(deps),
    tickets: createTickets(deps),
    stop() {
      ending.abort()
      return sweeper.stop()
    },
  }
}
