import type { LoginMethod } from '../../../shared/api/security.ts'
import { userStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { PendingLogin, PendingLogins } from '../../shared-state/pending-logins.ts'
import { signInStore } from '../../store/accounts/sign-ins.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { SecondFactor } from '../factors/second-factor.ts'
import type { Device } from './sessions.ts'

type LoginGateDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  pending: PendingLogins
  secondFactor: Pick<SecondFactor, 'isOn' | 'check'>
}>

export interface LoginGate {
  /**
   * Returns whether a user who has passed the first factor is logged in; false if this browser must provide a second
   * factor first.
   */
  admits(user: UserRow, method: LoginMethod, device: Device, mark: () => string): Promise<boolean>
  /** Checks the second factor of the login pending in this browser; returns the user who is now logged in. */
  confirm(code: string, device: Device, mark: string | undefined): Promise<UserRow>
  /** Records a login or a failed attempt. */
  note(userId: number, method: string, succeeded: boolean, device: Device): Promise<void>
}

const MAX_AGENT = 300

export function createLoginGate({ db, clock, log, pending, secondFactor }: LoginGateDeps): LoginGate {
  /** Returns the id of the row, or undefined if the write failed: a full disk must not prevent logins. */
  const write = (userId: number, method: string, succeeded: boolean, { ip, userAgent }: Device) =>
    signInStore(db)
      .add({
        user_id: userId,
        created_at: unixSeconds(clock),
        way: method,
        succeeded: succeeded ? 1 : 0,
        ip,
        user_agent: userAgent.slice(0, MAX_AGENT),
      })
      .catch(unwritten)
  const unwritten = (error: unknown) => {
    log.warn('a login could not be written down', { error })
    return undefined
  }
  const note: LoginGate['note'] = async (...login) => void (await write(...login))
  const succeed = async ({ userId, method, attempt }: PendingLogin, device: Device) => {
    const isUpdated = attempt !== undefined && (await signInStore(db).succeed(attempt).catch(unwritten))
    if (!isUpdated) await note(userId, method, true, device)
  }
  return {
    note,
    async admits(user, method, device, mark) {
      // Users of the desktop's own window have physical access to the machine.
      if (method !== 'desktop' && (await secondFactor.isOn(user.id))) {
        const attempt = await write(user.id, method, false, device)
        await pending.put(mark(), { userId: user.id, method, password: sha256(user.password), attempt })
        return false
      }
      await note(user.id, method, true, device)
      return true
    },
    async confirm(code, device, mark) {
      const waiting = mark === undefined ? undefined : await pending.find(mark)
      if (!mark || !waiting) throw refuse('forbidden', 'factor.late')
      const { userId, method } = waiting
      const user = await userStore(db).byId(userId)
      // The password was changed after the first factor was checked, so that check is void.
      if (user && sha256(user.password) !== waiting.password) {
        await pending.drop(mark)
        throw refuse('forbidden', 'factor.late')
      }
      await secondFactor.check(userId, code, device).catch(async (refusal) => {
        await note(userId, method, false, device)
        throw refusal
      })
      await pending.drop(mark)
      if (user?.status !== userStatus.active) throw refuse('forbidden', 'login.invalid')
      await succeed(waiting, device)
      return user
    },
  }
}
