import { newToken } from '../../shared/api/token.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { refuse } from '../base/errors.ts'
import { randomDigits } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Passwords } from '../base/passwords.ts'
import { userLookups } from '../store/user-lookups.ts'
import { userStore } from '../store/users.ts'
import { checkPassword, checkUsername } from './account-fields.ts'
import type { CodeMails } from './code-mail.ts'
import { AUTO_GROUP, DEFAULT_GROUP, mayUseGroup } from './groups.ts'
import type { Invitations } from './invitations.ts'
import { invitedAccount } from './invited-account.ts'
import { checkMailRules, mailAddress } from './mail-addresses.ts'
import { addAccount, type NewAccountDeps, takenIn } from './new-account.ts'
import type { Tokens } from './tokens.ts'

export type RegistrationDeps = NewAccountDeps &
  Readonly<{
    passwords: Pick<Passwords, 'hash' | 'busy'>
    mails: CodeMails
    invitations: Pick<Invitations, 'open' | 'take'>
    log: Logger
    /** Gives a new account its first token, where GENERATE_DEFAULT_TOKEN asks for one. */
    firstToken: Pick<Tokens, 'create'> | null
  }>

export type RegisterAsk = Readonly<{
  username: string
  password: string
  /** The password once more, where it was sent. */
  password2?: string | undefined
  email: string
  code: string
  inviteCode: string
  /** The code of a link of invitation; empty without one. */
  invitation: string
  locale: Locale
}>

/** How accounts are made by those who will use them (docs/reference/accounts.md#registration). */
export interface Registration {
  /** Refuses in the order of docs/reference/accounts.md#registration. */
  register(ask: RegisterAsk): Promise<void>
  /** Sends a code to an address that nobody has: to whoever registers, or to an account that binds it (`userId`). */
  sendCode(email: string, userId: number | undefined, locale: Locale): Promise<void>
  /** Binds the address the code was sent to. */
  bindEmail(userId: number, email: string, code: string): Promise<void>
}

const DIGITS = 6
/** Wrong ones that use up a code of so few digits. */
const MOST_TRIES = 5

/** The rules over one database. */
export function createRegistration(deps: RegistrationDeps): Registration {
  const { db, settings, passwords, mails, invitations } = deps
  return {
    async register(ask) {
      const invited = ask.invitation.trim() === '' ? undefined : await invitations.open(ask.invitation.trim())
      if (!invited) requireOpen(settings)
      if (!invited && !settings.get('PasswordRegisterEnabled')) throw refuse('forbidden', 'register.pw_closed')
      const { username, email } = fieldsIn(ask, settings, invited !== undefined)
      const taken = await takenIn(db, { username, email })
      if (taken) throw refuse('invalid', taken)
      if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
      if (email !== '' && !(await mails.take(purposeOf(), email, ask.code.trim())))
        throw refuse('invalid', 'code.wrong')
      const row = { username, email, password: await passwords.hash(ask.password) }
      const inviteCode = ask.inviteCode.trim()
      const id = await addAccount(deps, {
        row,
        inviteCode,
        locale: ask.locale,
        ...(invited && invitedAccount(invitations, row, invited)),
      })
      await giveToken(deps, { id, username, locale: ask.locale })
    },
    async sendCode(typed, userId, locale) {
      // A visitor needs a code to register alone.
      if (userId === undefined) requireOpen(settings)
      const address = mailAddress(typed)
      checkMailRules(address, settings)
      mails.requireServer()
      if (await userLookups(db).isEmailTaken(address)) throw refuse('invalid', 'email.taken')
      const code = randomDigits(DIGITS)
      await mails.send(address, {
        purpose: purposeOf(userId),
        code,
        tries: MOST_TRIES,
        words: 'code',
        locale,
        params: { code },
      })
    },
    async bindEmail(userId, typed, code) {
      if (typed.trim() === '') throw refuse('invalid', 'email.need')
      if (code.trim() === '') throw refuse('invalid', 'email.need_code')
      const email = mailAddress(typed)
      checkMailRules(email, settings)
      if (!(await mails.take(purposeOf(userId), email, code.trim()))) throw refuse('invalid', 'code.wrong')
      if (await userLookups(db).isEmailTaken(email)) throw refuse('invalid', 'email.taken')
      await userStore(db)
        .patch(userId, { email })
        .catch(async (cause) => {
          throw (await userLookups(db).isEmailTaken(email)) ? refuse('invalid', 'email.taken', {}, { cause }) : cause
        })
    },
  }
}

/** Refuses while nobody may register: closed by the operator, or one person's own gateway. */
export function requireOpen(settings: NewAccountDeps['settings']): void {
  if (!settings.get('RegisterEnabled') || settings.get('SelfUseModeEnabled'))
    throw refuse('forbidden', 'register.closed')
}

/** A code for registering binds nothing, and the other way round. */
const purposeOf = (userId?: number): string => (userId === undefined ? 'register' : `bind ${userId}`)

function fieldsIn(
  ask: RegisterAsk,
  settings: NewAccountDeps['settings'],
  isInvited: boolean,
): { username: string; email: string } {
  const username = ask.username.trim()
  if (username === '' || ask.password === '') throw refuse('invalid', 'user.empty_add')
  checkUsername(username)
  checkPassword(ask.password)
  if (ask.password2 !== undefined && ask.password2 !== ask.password) throw refuse('invalid', 'pw.mismatch')
  // Who was let in by an administrator needs no address.
  if (isInvited || !settings.get('EmailVerificationEnabled')) return { username, email: '' }
  if (ask.email.trim() === '' || ask.code.trim() === '') throw refuse('invalid', 'register.need_email')
  const email = mailAddress(ask.email)
  checkMailRules(email, settings)
  return { username, email }
}

/** The account is there whether or not it can be given a token. */
async function giveToken({ firstToken, log, settings }: RegistrationDeps, owner: FirstOwner): Promise<void> {
  if (!firstToken) return
  const { id, username, locale } = owner
  const isAuto = settings.get('DefaultUseAutoGroup') && mayUseGroup(DEFAULT_GROUP, AUTO_GROUP, settings)
  const group = isAuto ? AUTO_GROUP : ''
  const name = formatMessage(locale, 'token.first', { name: username })
  await firstToken
    .create({ id, group: DEFAULT_GROUP }, newToken.parse({ name, unlimited_quota: true, group }))
    .catch((error: unknown) => log.error('a new account could not be given its token', { userId: id, error }))
}

type FirstOwner = Readonly<{ id: number; username: string; locale: Locale }>
