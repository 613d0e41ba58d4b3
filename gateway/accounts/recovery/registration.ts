import type { CreationOptions, NewPasskey } from '../../../shared/api/passkey.ts'
import { newToken } from '../../../shared/api/token.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { ownLogRow } from '../../audit/log-rows.ts'
import { unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Passwords } from '../../base/secrets/passwords.ts'
import { identitiesOf, pastIdentityStore } from '../../store/accounts/past-identities.ts'
import { userLookups } from '../../store/accounts/user-lookups.ts'
import { userStore } from '../../store/accounts/users.ts'
import { checkPassword, checkUsername } from '../account-fields.ts'
import type { PasskeyOrigin } from '../factors/passkey-ceremony.ts'
import { addPasskey, type Passkeys } from '../factors/passkeys.ts'
import { AUTO_GROUP, DEFAULT_GROUP, mayUseGroup } from '../groups.ts'
import type { Invitations, OpenInvitation } from '../invitations.ts'
import { invitedAccount } from '../invited-account.ts'
import { addAccount, type NewAccountDeps, takenIn } from '../new-account.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { type CodeMails, takenMail, typedCode } from './code-mail.ts'
import { checkMailRules, mailAddress } from './mail-addresses.ts'

type RegistrationDeps = NewAccountDeps &
  Readonly<{
    passwords: Pick<Passwords, 'hash' | 'busy'>
    mails: CodeMails
    invitations: Pick<Invitations, 'open' | 'take'>
    passkeys: Pick<Passkeys, 'beginFirst' | 'first'>
    log: Logger
    /** Creates the first token of a new account if GENERATE_DEFAULT_TOKEN is set; null otherwise. */
    firstToken: Pick<Tokens, 'create'> | null
  }>

type RegistrationRequest = Readonly<{
  username: string
  password: string
  password2?: string | undefined
  passkey?: NewPasskey | undefined
  mark: string | undefined
  email: string
  code: string
  inviteCode: string
  /** The code of an invitation link; empty if there is none. */
  invitation: string
  door: RegistrationDoor
  locale: Locale
}>

/** The listener through which a call arrived. */
export type RegistrationDoor = Readonly<{
  /** Whether users without an invitation may register here, if the options allow it. */
  mayRegister: boolean
}>

/** Self-registration of accounts (docs/reference/accounts.md#registration). */
export interface Registration {
  /** Throws in the order of docs/reference/accounts.md#registration. */
  register(request: RegistrationRequest): Promise<void>
  /** Begins a passkey for a user who may register with this username; `invitation` is the code of a link, or empty. */
  beginPasskey(
    username: string,
    invitation: string,
    at: Readonly<{ origin: PasskeyOrigin; door: RegistrationDoor }>,
  ): Promise<CreationOptions>
  /**
   * Sends a code to an address, to register or to bind it to an account (`userId`). An address that already has an
   * account is sent a notice instead; the caller cannot tell the difference.
   */
  sendCode(
    email: string,
    userId: number | undefined,
    at: Readonly<{ door: RegistrationDoor; locale: Locale }>,
  ): Promise<void>
  /** Binds the address the code was sent to, and notifies the previous address. */
  bindEmail(userId: number, email: string, code: string, locale: Locale): Promise<void>
}

export function createRegistration(deps: RegistrationDeps): Registration {
  const { db, settings, passwords, mails, invitations, passkeys } = deps
  /** Returns the invitation of a code. Without a code, throws if registration, or only that by password, is closed. */
  const requireAdmission = async (code: string, door: RegistrationDoor): Promise<OpenInvitation | undefined> => {
    const invited = code === '' ? undefined : await invitations.open(code)
    if (!invited) requireOpen(settings, door)
    if (!invited && !settings.get('PasswordRegisterEnabled')) throw refuse('forbidden', 'register.pw_closed')
    return invited
  }
  const requireFree = async (fields: Readonly<{ username: string; email?: string }>) => {
    const taken = await takenIn(db, fields)
    if (taken) throw refuse('invalid', taken)
  }
  return {
    async register(input) {
      const invited = await requireAdmission(input.invitation, input.door)
      const { username, email } = fieldsIn(input, settings, invited !== undefined)
      await requireFree({ username })
      if (!input.passkey && passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
      if (email !== '' && !(await mails.take(purposeOf(), email, input.code.trim())))
        throw refuse('invalid', 'code.wrong')
      // Checked only now: whether an address is taken is disclosed only to those who can read its mail.
      await requireFree({ username, email })
      const passkey = input.passkey && (await passkeys.first(input.passkey, input))
      const row = { username, email, password: input.passkey ? '' : await passwords.hash(input.password) }
      const account = invited ? invitedAccount(deps, { row, invited, locale: input.locale }) : { row }
      const id = await addAccount(deps, {
        ...account,
        inviteCode: input.inviteCode.trim(),
        locale: input.locale,
        async together(transaction, user_id) {
          if (invited) await invitations.take(transaction, invited)
          if (passkey) await addPasskey(transaction, { ...passkey, user_id })
        },
      })
      await giveToken(deps, { id, username, locale: input.locale })
    },
    async beginPasskey(typed, invitation, { origin, door }) {
      await requireAdmission(invitation, door)
      const username = nameIn(typed)
      await requireFree({ username })
      return passkeys.beginFirst(username, origin)
    },
    async sendCode(typed, userId, { door, locale }) {
      // Visitors need a code only to register.
      if (userId === undefined) requireOpen(settings, door)
      const address = mailAddress(typed)
      checkMailRules(address, settings)
      mails.requireServer()
      const mail = (await userLookups(db).isEmailTaken(address)) ? takenMail : typedCode
      await mails.send(address, mail(purposeOf(userId), locale))
    },
    bindEmail: (userId, email, code, locale) => bindAddress(deps, { userId, email, code, locale }),
  }
}

type Binding = Readonly<{ userId: number; email: string; code: string; locale: Locale }>

async function bindAddress(
  { db, settings, mails, clock }: RegistrationDeps,
  { userId, email: typed, code, locale }: Binding,
): Promise<void> {
  if (typed.trim() === '') throw refuse('invalid', 'email.need')
  if (code.trim() === '') throw refuse('invalid', 'email.need_code')
  const email = mailAddress(typed)
  checkMailRules(email, settings)
  if (!(await mails.take(purposeOf(userId), email, code.trim()))) throw refuse('invalid', 'code.wrong')
  if (await userLookups(db).isEmailTaken(email)) throw refuse('invalid', 'email.taken')
  const before = await userStore(db).byId(userId)
  if (!before) throw refuse('unauthenticated', 'auth.deactivated')
  await db
    .transaction()
    .execute(async (transaction) => {
      if (!(await userStore(transaction).patch(userId, { email }, { email: before.email })))
        throw refuse('invalid', 'user.changed_meanwhile')
      const previous = identitiesOf(before).filter(({ kind }) => kind === 'email')
      await pastIdentityStore(transaction).add(previous, unixSeconds(clock))
      const logRow = ownLogRow({ ...before, clock, locale }, 'log.email_bound', { email })
      await transaction.insertInto('logs').values(logRow).execute()
    })
    .catch(async (cause) => {
      throw (await userLookups(db).isEmailTaken(email)) ? refuse('invalid', 'email.taken', {}, { cause }) : cause
    })
  // If the change was not made by the owner, they still read the previous address.
  const params = { site: settings.get('SystemName'), name: before.username }
  mails.report(before.email, { subject: 'mail.moved_subject', body: 'mail.moved_body', params }, locale)
}

/** Throws if registration is closed: on this listener, by the operator, or in self-use mode. */
export function requireOpen(settings: NewAccountDeps['settings'], { mayRegister }: RegistrationDoor): void {
  if (!mayRegister) throw refuse('forbidden', 'share.register_closed')
  if (!settings.get('RegisterEnabled') || settings.get('SelfUseModeEnabled'))
    throw refuse('forbidden', 'register.closed')
}

/** A code for registration cannot bind an address, and vice versa. */
const purposeOf = (userId?: number): string => (userId === undefined ? 'register' : `bind ${userId}`)

function fieldsIn(
  input: RegistrationRequest,
  settings: NewAccountDeps['settings'],
  isInvited: boolean,
): { username: string; email: string } {
  if (!input.passkey && input.password === '') throw refuse('invalid', 'user.empty_add')
  const username = nameIn(input.username)
  if (!input.passkey) checkNewPassword(input)
  // Invited users need no address.
  if (isInvited || !settings.get('EmailVerificationEnabled')) return { username, email: '' }
  if (input.email.trim() === '' || input.code.trim() === '') throw refuse('invalid', 'register.need_email')
  const email = mailAddress(input.email)
  checkMailRules(email, settings)
  return { username, email }
}

function nameIn(typed: string): string {
  const username = typed.trim()
  if (username === '') throw refuse('invalid', 'user.empty_add')
  checkUsername(username)
  return username
}

function checkNewPassword({ password, password2 }: RegistrationRequest): void {
  checkPassword(password)
  if (password2 !== undefined && password2 !== password) throw refuse('invalid', 'pw.mismatch')
}

/** Failing to create the token does not fail the registration. */
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
