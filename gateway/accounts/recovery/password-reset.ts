import { userStatus } from '../../../shared/enums.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { ownLogRow } from '../../audit/log-rows.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomKey, randomSecret } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Passwords } from '../../base/secrets/passwords.ts'
import type { Settings } from '../../settings/settings.ts'
import { sessionStore } from '../../store/accounts/sessions.ts'
import { userLookups } from '../../store/accounts/user-lookups.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { createFactorRule } from '../factors/factor-rule.ts'
import { hasPasskeysAlone } from '../factors/second-factors.ts'
import type { CodeMails } from './code-mail.ts'
import { mailAddress } from './mail-addresses.ts'

type PasswordResetDeps = Readonly<{
  db: Db
  passwords: Pick<Passwords, 'hash' | 'busy'>
  mails: CodeMails
  settings: Pick<Settings, 'get' | 'linkAddress'>
  clock: Clock
  log: Logger
}>

/** Replaces a forgotten password by mail (docs/reference/accounts.md#password-reset). */
export interface PasswordReset {
  /**
   * Throws if the address is invalid or no mail server is configured. Does not wait for the lookup of the account, so
   * that the response does not reveal whether there is one.
   */
  request(email: string, by: ResetRequest): void
  /** Redeems the token of a reset link. Returns the new password; ends all sessions and the access token. */
  redeem(email: string, token: string, locale: Locale): Promise<string>
  stop(): Promise<void>
}

type ResetRequest = Readonly<{ locale: Locale; cameBy: string | undefined }>

const PURPOSE = 'reset'
const NEW_LENGTH = 12
/** Unlimited: 256 bits cannot be guessed, and a limit would let anyone invalidate the link. */
const TRIES = Number.POSITIVE_INFINITY
/** Max mails being sent at once; further requests are dropped and can be repeated. */
const MAX_AT_ONCE = 50

export function createPasswordReset(deps: PasswordResetDeps): PasswordReset {
  const { db, mails, passwords, log, settings } = deps
  const sending = new Set<Promise<void>>()
  const factorRule = createFactorRule(deps)
  /**
   * Returns the active account of an address, if a mail may reset its password. A mail is one factor: for an account
   * that must have two and logs in only with passkeys, each of which is both, a link would be a weaker login, so only
   * administrators can give it a password.
   */
  const accountOf = async (address: string): Promise<UserRow | undefined> => {
    const user = await userLookups(db).byEmail(address)
    if (user?.status !== userStatus.active) return undefined
    return factorRule.isFor(user.role) && (await hasPasskeysAlone(db, user.id)) ? undefined : user
  }
  const send = async (address: string, { locale, cameBy }: ResetRequest) => {
    if (!(await accountOf(address))) return
    const token = randomSecret()
    const query = new URLSearchParams({ email: address, token })
    const link = `${settings.linkAddress(cameBy)}/user/reset?${query}`
    await mails.send(address, {
      purpose: PURPOSE,
      code: token,
      tries: TRIES,
      template: 'reset',
      locale,
      params: { link },
    })
  }
  return {
    request(typed, by) {
      const address = mailAddress(typed)
      mails.requireServer()
      if (sending.size >= MAX_AT_ONCE) {
        log.warn('too many mails are on their way to send another')
        return
      }
      const sent = send(address, by)
        .catch((error: unknown) => log.info('no mail for a new password was sent', { error }))
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
    async redeem(typed, token, locale) {
      if (typed.trim() === '' || token.trim() === '') throw refuse('invalid', 'param.invalid')
      const address = typed.trim().toLowerCase()
      if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
      const isRight = await mails.take(PURPOSE, address, token.trim())
      const user = isRight ? await accountOf(address) : undefined
      if (!user) throw refuse('invalid', 'reset.bad_link')
      const password = randomKey(NEW_LENGTH)
      await replace(deps, { id: user.id, username: user.username, password, locale })
      return password
    },
    async stop() {
      await Promise.all(sending)
    },
  }
}

type Replacing = Readonly<{ id: number; username: string; password: string; locale: Locale }>

async function replace({ db, passwords, clock }: PasswordResetDeps, to: Replacing): Promise<void> {
  const { id, username, locale } = to
  const password = await passwords.hash(to.password)
  await db.transaction().execute(async (transaction) => {
    await userStore(transaction).patch(id, { password, access_token_hash: null })
    await sessionStore(transaction).removeOf(id)
    const logRow = ownLogRow({ id, username, clock, locale }, 'log.password_forgotten')
    await transaction.insertInto('logs').values(logRow).execute()
  })
}
