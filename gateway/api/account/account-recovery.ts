import type { Middleware } from 'koa'
import type { OptionKey } from '../../../shared/options/index.ts'
import {
  type AccountRecovery,
  RECOVERY_PATH,
  recoverAccount,
  recoveryRequest,
} from '../../accounts/recovery/account-recovery.ts'
import type { Clock } from '../../base/clock.ts'
import { parsed } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { readBytes } from '../middleware/body.ts'

type RecoveryApiDeps = Readonly<{
  db: Db
  clock: Clock
  forgetUser: (userId: number) => MaybePromise<void>
  publishOptions: (keys: readonly OptionKey[]) => MaybePromise<void>
}>

/** Max size of a request's body: 64 KiB, in MiB. */
const MAX = 64 / 1024

/** Recovers an account in a running gateway, and updates the state that the gateway caches. */
export function createAccountRecovery({ db, clock, forgetUser, publishOptions }: RecoveryApiDeps): AccountRecovery {
  return async (request) => {
    const done = await db.transaction().execute((transaction) => recoverAccount(transaction, clock, request))
    if ('problem' in done) return done
    if (done.userId !== undefined) await forgetUser(done.userId)
    if (done.keys && done.keys.length > 0) await publishOptions(done.keys)
    return done
  }
}

/**
 * Account recovery over the command line's socket: to be mounted before its API, never on a port
 * (docs/reference/command-line.md#a-running-gateway).
 */
export function createRecoveryApi(accountRecovery: AccountRecovery): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== RECOVERY_PATH || ctx.method !== 'POST') return next()
    const answer = (success: boolean, message: string, data: unknown = null) => {
      ctx.body = { success, message, data }
    }
    const { data: request } = recoveryRequest.safeParse(parsed((await readBytes(ctx, MAX)).toString('utf8')))
    if (!request) return answer(false, 'unknown way back')
    const done = await accountRecovery(request)
    if ('problem' in done) return answer(false, done.problem)
    answer(true, '', { lines: done.lines, result: done.result })
  }
}
