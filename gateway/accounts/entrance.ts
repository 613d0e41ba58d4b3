import type { SignInWay } from '../../shared/api/security.ts'
import { userStatus } from '../../shared/enums.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { PendingLogins } from '../shared-state/pending-logins.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { signInStore } from '../store/sign-ins.ts'
import { userStore } from '../store/users.ts'
import type { SecondFactor } from './second-factor.ts'
import type { Device } from './sessions.ts'

export type EntranceDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  pending: PendingLogins
  secondFactor: Pick<SecondFactor, 'isOn' | 'check'>
}>

/** The last step of every way to log in: the second factor, and the account's history of logins. */
export interface Entrance {
  /** Whether somebody who has shown the first factor is in; false where a second one is asked of this browser first. */
  admits(user: UserRow, way: SignInWay, device: Device, mark: () => string): Promise<boolean>
  /** Takes the second factor of whoever waits in this browser; answers who is in now. */
  confirm(code: string, device: Device, mark: string | undefined): Promise<UserRow>
  /** Writes down who came in, or tried to. */
  note(userId: number, way: string, succeeded: boolean, device: Device): Promise<void>
}

const MAX_AGENT = 300

/** Builds it over one database. */
export function createEntrance({ db, clock, log, pending, secondFactor }: EntranceDeps): Entrance {
  const note: Entrance['note'] = (userId, way, succeeded, { ip, userAgent }) =>
    signInStore(db)
      .add({
        user_id: userId,
        created_at: unixSeconds(clock),
        way,
        succeeded: succeeded ? 1 : 0,
        ip,
        user_agent: userAgent.slice(0, MAX_AGENT),
      })
      // A disk that takes no writes must not keep people out.
      .catch((error: unknown) => log.warn('a login could not be written down', { error }))
  return {
    note,
    async admits(user, way, device, mark) {
      // Who sits at the desktop's own window has the machine.
      if (way !== 'desktop' && (await secondFactor.isOn(user.id))) {
        await pending.put(mark(), { userId: user.id, way, password: sha256(user.password) })
        return false
      }
      await note(user.id, way, true, device)
      return true
    },
    async confirm(code, device, mark) {
      const waiting = mark === undefined ? undefined : await pending.find(mark)
      if (!mark || !waiting) throw refuse('forbidden', 'factor.late')
      const { userId, way } = waiting
      const user = await userStore(db).byId(userId)
      // Whoever knew the password before the last one has shown no first factor.
      if (user && sha256(user.password) !== waiting.password) {
        await pending.drop(mark)
        throw refuse('forbidden', 'factor.late')
      }
      await secondFactor.check(userId, code).catch(async (refusal) => {
        await note(userId, way, false, device)
        throw refusal
      })
      await pending.drop(mark)
      if (user?.status !== userStatus.active) throw refuse('forbidden', 'login.invalid')
      await note(userId, way, true, device)
      return user
    },
  }
}
