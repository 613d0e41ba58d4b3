import type { LoginProvider } from '../../../shared/api/oauth.ts'
import { role, userStatus } from '../../../shared/enums.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { withoutUnseen } from '../../../shared/unseen.ts'
import { MAX_USERNAME } from '../../../shared/username.ts'
import { ownLogRow } from '../../audit/log-rows.ts'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { randomDigits } from '../../base/ids.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { passkeyStore } from '../../store/accounts/passkeys.ts'
import { identitiesOf, pastIdentityStore } from '../../store/accounts/past-identities.ts'
import { userLookups } from '../../store/accounts/user-lookups.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { checkUsername } from '../account-fields.ts'
import type { Invitations, OpenInvitation } from '../invitations.ts'
import { invitedAccount } from '../invited-account.ts'
import { hasLoginMethod } from '../login/login-methods.ts'
import { addAccount, type NewAccountDeps, takenIn } from '../new-account.ts'
import { checkMailRules } from '../recovery/mail-addresses.ts'
import { type RegistrationDoor, requireOpen } from '../recovery/registration.ts'
import { kinds, type ProvidedIdentity } from './external-identity.ts'

type ProviderSignInDeps = NewAccountDeps &
  Readonly<{
    invitations: Pick<Invitations, 'open' | 'take'>
    /** Called after an account changed, so that the relay drops what it caches about it. */
    onChange: (userId: number) => MaybePromise<void>
  }>

/** Logs in users by the identity a provider reports (docs/reference/accounts.md#login-providers). */
export interface ProviderSignIn {
  requireOn(provider: LoginProvider): void
  /**
   * Returns the account bound to the identity. Creates one if there is none and registration is open or the user has an
   * invitation link; the link is not used if the account already exists.
   */
  enter(provider: LoginProvider, who: ProvidedIdentity, by: SignUpRequest): Promise<UserRow>
  known(provider: LoginProvider, id: string): Promise<UserRow>
  /** Binds an account; throws if the identity is bound to another one. */
  bind(userId: number, provider: LoginProvider, id: string, locale: Locale): Promise<void>
  /** Unbinds the provider; throws if the account would be left without a login method. */
  unbind(userId: number, provider: LoginProvider, locale: Locale): Promise<void>
}

/** Accounts are never merged by email address. */
export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { db, settings, onChange } = deps
  const lookups = userLookups(db)
  const bound = (provider: LoginProvider, id: string) => lookups.byProvider(kinds[provider].column, id)
  return {
    requireOn(provider) {
      const { isOn, name } = kinds[provider]
      if (!settings.get(isOn)) throw refuse('forbidden', 'oauth.disabled', { name })
    },
    async enter(provider, identity, by) {
      const found = (await bound(provider, identity.id)) ?? (await rebindFormer(deps, provider, identity, by.locale))
      if (found) return active(found)
      const code = by.invitation.trim()
      const invited = code === '' ? undefined : await deps.invitations.open(code)
      if (!invited) requireOpen(settings, by.door)
      // Invited users need no address.
      if (!invited && identity.notNew) throw refuse('forbidden', identity.notNew, { name: kinds[provider].name })
      const made = await create(deps, provider, identity, { ...by, invited })
      if (!made) throw refuse('invalid', 'user.changed_meanwhile')
      return active(made)
    },
    async known(provider, id) {
      const found = await bound(provider, id)
      if (!found) throw refuse('forbidden', 'oauth.not_bound', { name: kinds[provider].name })
      return active(found)
    },
    async bind(userId, provider, id, locale) {
      const { name } = kinds[provider]
      const taken = () => refuse('invalid', 'oauth.bound_other', { name })
      const other = await bound(provider, id)
      if (other && other.id !== userId) throw taken()
      try {
        await db.transaction().execute(async (transaction) => {
          const row = await requireUser(transaction, userId)
          await rebind(deps, transaction, { row, provider, id, locale })
        })
      } catch (cause) {
        if (cause instanceof GatewayError) throw cause
        throw (await bound(provider, id)) ? taken() : cause
      }
      await onChange(userId)
    },
    async unbind(userId, provider, locale) {
      const { column } = kinds[provider]
      await db.transaction().execute(async (transaction) => {
        const row = await requireUser(transaction, userId)
        if (!hasLoginMethod(row, settings, column) && (await passkeyStore(transaction).countOf(userId)) === 0)
          throw refuse('invalid', 'oauth.last')
        await rebind(deps, transaction, { row, provider, id: '', locale })
      })
      await onChange(userId)
    },
  }
}

async function requireUser(transaction: Db, userId: number): Promise<UserRow> {
  const row = await userStore(transaction).byId(userId)
  if (!row) throw refuse('unauthenticated', 'auth.deactivated')
  return row
}

/** `id` is the new binding; empty to unbind. */
type Rebinding = Readonly<{ row: UserRow; provider: LoginProvider; id: string; locale: Locale }>

/**
 * Binds an account if it has not changed since it was read. The previous identity becomes free, but does not count as a
 * new user; the change appears in the owner's log.
 */
async function rebind({ clock }: ProviderSignInDeps, transaction: Db, { row, provider, id, locale }: Rebinding) {
  const { column, name } = kinds[provider]
  const unchanged = { password: row.password, ...bindingsOf(row) }
  if (!(await userStore(transaction).patch(row.id, { [column]: id }, unchanged)))
    throw refuse('invalid', 'user.changed_meanwhile')
  const removed = identitiesOf(row).filter(({ kind, subject }) => kind === column && subject !== id)
  await pastIdentityStore(transaction).add(removed, unixSeconds(clock))
  const messageKey = id === '' ? 'log.unbound' : 'log.bound'
  const logRow = ownLogRow({ ...row, clock, locale }, messageKey, { name })
  await transaction.insertInto('logs').values(logRow).execute()
}

/** Creates an account, or returns the one created meanwhile: concurrent logins of the same user create only one. */
async function create(deps: ProviderSignInDeps, provider: LoginProvider, identity: ProvidedIdentity, by: SignUp) {
  const { column } = kinds[provider]
  const { inviteCode, locale, invited } = by
  const display_name = [...withoutUnseen(identity.displayName)].slice(0, MAX_DISPLAY).join('')
  for (let tries = 1; ; tries += 1) {
    const username = await freeName(deps, provider, identity, tries > 1)
    const email = await freeEmail(deps, identity.email)
    const row = { username, email, display_name, password: '', [column]: identity.id }
    try {
      const account = invited ? invitedAccount(deps, { row, invited, locale }) : { row }
      return await userStore(deps.db).byId(await addAccount(deps, { inviteCode, locale, ...account }))
    } catch (cause) {
      const found = await userLookups(deps.db).byProvider(column, identity.id)
      if (found) return found
      // The name or the address was taken meanwhile. A used-up link will not become valid again.
      if (tries >= MAX_TRIES || isUsedUp(cause)) throw cause
    }
  }
}

/** The request of a user who may get a new account; `invitation` is the code of a link, empty if there is none. */
type SignUpRequest = Readonly<{ inviteCode: string; invitation: string; door: RegistrationDoor; locale: Locale }>
type SignUp = Omit<SignUpRequest, 'invitation' | 'door'> & Readonly<{ invited: OpenInvitation | undefined }>

const isUsedUp = (cause: unknown): boolean => cause instanceof GatewayError && cause.key === 'invitation.none'

const MAX_TRIES = 6
const MAX_DISPLAY = 20

function active(row: UserRow): UserRow {
  if (row.deleted_at !== null) throw refuse('forbidden', 'auth.deactivated')
  if (row.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
  return row
}

/**
 * The columns that must be unchanged when a binding is added or removed: two concurrent removals could otherwise remove
 * the last login method.
 */
const bindingsOf = ({ github_id, oidc_id, wechat_id, telegram_id, linux_do_id }: UserRow) => ({
  github_id,
  oidc_id,
  wechat_id,
  telegram_id,
  linux_do_id,
})

/**
 * Finds the account bound by the identifier other gateways use, and rebinds it to ours. Returns undefined for an
 * administrator, and if the last import is too long ago.
 */
async function rebindFormer(
  { db, clock }: ProviderSignInDeps,
  provider: LoginProvider,
  { id, formerId }: ProvidedIdentity,
  locale: Locale,
): Promise<UserRow | undefined> {
  if (!formerId || !(await wasImportedAfter(db, unixSeconds(clock) - FORMER_SECONDS))) return undefined
  const { column, name } = kinds[provider]
  const found = await userLookups(db).byProvider(column, formerId)
  if (!found || found.deleted_at !== null) return found
  // A name can be given up and taken by someone else, so administrators are never matched by name.
  if (found.role >= role.admin) return undefined
  return db.transaction().execute(async (transaction) => {
    const isDone = await userStore(transaction).patch(found.id, { [column]: id }, { [column]: formerId })
    if (!isDone) return undefined
    const logRow = ownLogRow({ ...found, clock, locale }, 'log.bound_by_name', { name, former: formerId })
    await transaction.insertInto('logs').values(logRow).execute()
    return { ...found, [column]: id }
  })
}

/** Seconds after an import for which an imported name still matches; later, someone else may have the name. */
const FORMER_SECONDS = 90 * 86_400

async function wasImportedAfter(db: Db, since: number): Promise<boolean> {
  const found = await db.selectFrom('imports').select('id').where('created_at', '>', since).limit(1).executeTakeFirst()
  return found !== undefined
}

/** Returns the provider's username if it is valid and free, otherwise one built from a number. */
async function freeName(
  { db }: ProviderSignInDeps,
  provider: LoginProvider,
  { username = '' }: ProvidedIdentity,
  isRaced: boolean,
): Promise<string> {
  const suggested = [...(username.split('@')[0] ?? '').trim()].slice(0, MAX_USERNAME).join('')
  const { prefix } = kinds[provider]
  const random = `${prefix}_${randomDigits(4)}`
  // Concurrent sign-ups would all derive the same name from the last id.
  const next = isRaced ? random : `${prefix}_${(await userLookups(db).lastId()) + 1}`
  for (const name of [suggested, next, random])
    if (isName(name) && !(await takenIn(db, { username: name }))) return name
  return `${prefix}_${randomDigits(8)}`
}

function isName(name: string): boolean {
  try {
    checkUsername(name)
    return name !== ''
  } catch {
    return false
  }
}

/** Returns the address if it is free and the operator's rules allow it, otherwise ''. */
async function freeEmail({ db, settings }: ProviderSignInDeps, email: string): Promise<string> {
  const address = email.trim().toLowerCase()
  const isUsable = address !== '' && address.length <= 50 && isWithinRules(address, settings)
  return isUsable && !(await userLookups(db).isEmailTaken(address)) ? address : ''
}

function isWithinRules(address: string, settings: ProviderSignInDeps['settings']): boolean {
  try {
    checkMailRules(address, settings)
    return true
  } catch {
    return false
  }
}
