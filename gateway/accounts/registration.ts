import type { CreationOptions, NewPasskey } from '../../shared/api/passkey.ts'
import { newToken } from '../../shared/api/token.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Passwords } from '../base/passwords.ts'
import { identitiesOf, pastIdentityStore } from '../store/past-identities.ts'
import { userLookups } from '../store/user-lookups.ts'
import { userStore } from '../store/users.ts'
import { checkPassword, checkUsername } from './account-fields.ts'
import { type CodeMails, takenMail, typedCode } from './code-mail.ts'
import { AUTO_GROUP, DEFAULT_GROUP, mayUseGroup } from './groups.ts'
import type { Invitations, OpenInvitation } from './invitations.ts'
import { invitedAccount } from './invited-account.ts'
import { checkMailRules, mailAddress } from './mail-addresses.ts'
import { addAccount, type NewAccountDeps, takenIn } from './new-account.ts'
import { ownLogRow } from './own-log.ts'
import type { PasskeyPlace } from './passkey-ceremony.ts'
import { addPasskey, type Passkeys } from './passkeys.ts'
import type { Tokens } from './tokens.ts'

type RegistrationDeps = NewAccountDeps &
  Readonly<{
    passwords: Pick<Passwords, 'hash' | 'busy'>
    mails: CodeMails
    invitations: Pick<Invitations, 'open' | 'take'>
    passkeys: Pick<Passkeys, 'beginFirst' | 'first'>
    log: Logger
    /** Gives a new account its first token, where GENERATE_DEFAULT_TOKEN asks for one. */
    firstToken: Pick<Tokens, 'create'> | null
  }>

type RegisterAsk = Readonly<{
  username: string
  password: string
  /** The password once more, where it was sent. */
  password2?: string | undefined
  /** A passkey in place of the password, made in the browser that keeps this mark. */
  passkey?: NewPasskey | undefined
  mark: string | undefined
  email: string
  code: string
  inviteCode: string
  /** The code of a link of invitation; empty without one. */
  invitation: string
  door: RegistrationDoor
  locale: Locale
}>

/** Where somebody comes in. */
export type RegistrationDoor = Readonly<{
  /** Whether strangers who have no invitation get an account there, as far as the options let them. */
  mayRegister: boolean
}>

/** How accounts are made by those who will use them (docs/reference/accounts.md#registration). */
export interface Registration {
  /** Refuses in the order of docs/reference/accounts.md#registration. */
  register(ask: RegisterAsk): Promise<void>
  /** Begins a passkey for who may register by this name, with the code of an invitation where they have one. */
  beginPasskey(
    username: string,
    invitation: string,
    at: Readonly<{ place: PasskeyPlace; door: RegistrationDoor }>,
  ): Promise<CreationOptions>
  /**
   * Sends a code to an address, for whoever registers, or for an account that binds it (`userId`). An address that has an account
   * is sent a mail that says so instead, and the caller sees no difference.
   */
  sendCode(
    email: string,
    userId: number | undefined,
    at: Readonly<{ door: RegistrationDoor; locale: Locale }>,
  ): Promise<void>
  /** Binds the address the code was sent to, and tells the one before. */
  bindEmail(userId: number, email: string, code: string, locale: Locale): Promise<void>
}

/** The rules over one database. */
export function createRegistration(deps: RegistrationDeps): Registration {
  const { db, settings, passwords, mails, invitations, passkeys } = deps
  /** What an invitation opens; refuses who has none where registration is closed. */
  const openTo = async (code: string, door: RegistrationDoor): Promise<OpenInvitation | undefined> => {
    const invited = code === '' ? undefined : await invitations.open(code)
    if (!invited) requireOpen(settings, door)
    if (!invited && !settings.get('PasswordRegisterEnabled')) throw refuse('forbidden', 'register.pw_closed')
    return invited
  }
  const requireFree = async (wanted: Readonly<{ username: string; email?: string }>) => {
    const taken = await takenIn(db, wanted)
    if (taken) throw refuse('invalid', taken)
  }
  return {
    async register(ask) {
      const invited = await openTo(ask.invitation, ask.door)
      const { username, email } = fieldsIn(ask, settings, invited !== undefined)
      await requireFree({ username })
      if (!ask.passkey && passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
      if (email !== '' && !(await mails.take(purposeOf(), email, ask.code.trim())))
        throw refuse('invalid', 'code.wrong')
      // Only who reads its mail learns that an address is taken.
      await requireFree({ username, email })
      const made = ask.passkey && (await passkeys.first(ask.passkey, ask))
      const row = { username, email, password: ask.passkey ? '' : await passwords.hash(ask.password) }
      const given = invited ? invitedAccount(deps, { row, invited, locale: ask.locale }) : { row }
      const id = await addAccount(deps, {
        ...given,
        inviteCode: ask.inviteCode.trim(),
        locale: ask.locale,
        async together(transaction, user_id) {
          if (invited) await invitations.take(transaction, invited)
          if (made) await addPasskey(transaction, { ...made, user_id })
        },
      })
      await giveToken(deps, { id, username, locale: ask.locale })
    },
    async beginPasskey(typed, invitation, { place, door }) {
      await openTo(invitation, door)
      const username = nameIn(typed)
      await requireFree({ username })
      return passkeys.beginFirst(username, place)
    },
    async sendCode(typed, userId, { door, locale }) {
      // A visitor needs a code only to register.
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
      const parted = identitiesOf(before).filter(({ kind }) => kind === 'email')
      await pastIdentityStore(transaction).add(parted, unixSeconds(clock))
      const told = ownLogRow({ ...before, clock, locale }, 'log.email_bound', { email })
      await transaction.insertInto('logs').values(told).execute()
    })
    .catch(async (cause) => {
      throw (await userLookups(db).isEmailTaken(email)) ? refuse('invalid', 'email.taken', {}, { cause }) : cause
    })
  // Whoever is surprised by it still reads the old one.
  const params = { site: settings.get('SystemName'), name: before.username }
  mails.report(before.email, { subject: 'mail.moved_subject', body: 'mail.moved_body', params }, locale)
}

/** Refuses while nobody may register: closed at this door, closed by the operator, or one person's own gateway. */
export function requireOpen(settings: NewAccountDeps['settings'], { mayRegister }: RegistrationDoor): void {
  if (!mayRegister) throw refuse('forbidden', 'share.register_closed')
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
  if (!ask.passkey && ask.password === '') throw refuse('invalid', 'user.empty_add')
  const username = nameIn(ask.username)
  if (!ask.passkey) checkNewPassword(ask)
  // Who was let in by an administrator needs no address.
  if (isInvited || !settings.get('EmailVerificationEnabled')) return { username, email: '' }
  if (ask.email.trim() === '' || ask.code.trim() === '') throw refuse('invalid', 'register.need_email')
  const email = mailAddress(ask.email)
  checkMailRules(email, settings)
  return { username, email }
}

function nameIn(typed: string): string {
  const username = typed.trim()
  if (username === '') throw refuse('invalid', 'user.empty_add')
  checkUsername(username)
  return username
}

function checkNewPassword({ password, password2 }: RegisterAsk): void {
  checkPassword(password)
  if (password2 !== undefined && password2 !== password) throw refuse('invalid', 'pw.mismatch')
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
