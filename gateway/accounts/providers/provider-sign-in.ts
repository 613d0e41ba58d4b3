import type { LoginProvider } from '../../../shared/api/oauth.ts'
import { role, userStatus } from '../../../shared/enums.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { withoutUnseen } from '../../../shared/unseen.ts'
import { MAX_USERNAME } from '../../../shared/username.ts'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { randomDigits } from '../../base/ids.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Db } from '../../store/database.ts'
import { passkeyStore } from '../../store/passkeys.ts'
import { identitiesOf, pastIdentityStore } from '../../store/past-identities.ts'
import type { UserRow } from '../../store/schema.ts'
import { userLookups } from '../../store/user-lookups.ts'
import { userStore } from '../../store/users.ts'
import { checkUsername } from '../account-fields.ts'
import type { Invitations, OpenInvitation } from '../invitations.ts'
import { invitedAccount } from '../invited-account.ts'
import { checkMailRules } from '../mail-addresses.ts'
import { addAccount, type NewAccountDeps, takenIn } from '../new-account.ts'
import { ownLogRow } from '../own-log.ts'
import { type RegistrationDoor, requireOpen } from '../registration.ts'
import { hasWayIn } from '../ways-in.ts'
import { kinds, type ProvidedIdentity } from './who.ts'

type ProviderSignInDeps = NewAccountDeps &
  Readonly<{
    invitations: Pick<Invitations, 'open' | 'take'>
    /** Called once an account was changed, so that the relay forgets what it knows of it. */
    onChange: (userId: number) => MaybePromise<void>
  }>

/** What becomes of somebody whom a provider knows (docs/reference/accounts.md#sign-in-by-others). */
export interface ProviderSignIn {
  /** Refuses while the operator has it off. */
  requireOn(provider: LoginProvider): void
  /**
   * The account that is bound to them; a new one where there is none and anybody may register, or somebody with a link of
   * invitation, which an account that is there already leaves as it is.
   */
  enter(provider: LoginProvider, who: ProvidedIdentity, by: SignUpAsk): Promise<UserRow>
  /** The account that is bound; refuses where there is none. */
  known(provider: LoginProvider, id: string): Promise<UserRow>
  /** Binds an account; refuses where another one is bound to them. */
  bind(userId: number, provider: LoginProvider, id: string, locale: Locale): Promise<void>
  /** Unbinds it; refuses where nobody could log in to the account any more. */
  unbind(userId: number, provider: LoginProvider, locale: Locale): Promise<void>
}

/** The rules over one database. Accounts are never joined by a mail address. */
export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { db, settings, onChange } = deps
  const lookups = userLookups(db)
  const bound = (provider: LoginProvider, id: string) => lookups.byProvider(kinds[provider].column, id)
  return {
    requireOn(provider) {
      const { isOn, name } = kinds[provider]
      if (!settings.get(isOn)) throw refuse('forbidden', 'oauth.disabled', { name })
    },
    async enter(provider, who, by) {
      const found = (await bound(provider, who.id)) ?? (await formerly(deps, provider, who, by.locale))
      if (found) return active(found)
      const code = by.invitation.trim()
      const invited = code === '' ? undefined : await deps.invitations.open(code)
      if (!invited) requireOpen(settings, by.door)
      // Who was let in by an administrator needs no address.
      if (!invited && who.notNew) throw refuse('forbidden', who.notNew, { name: kinds[provider].name })
      const made = await create(deps, provider, who, { ...by, invited })
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
          const row = await requireRow(transaction, userId)
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
        const row = await requireRow(transaction, userId)
        if (!hasWayIn(row, settings, column) && (await passkeyStore(transaction).countOf(userId)) === 0)
          throw refuse('invalid', 'oauth.last')
        await rebind(deps, transaction, { row, provider, id: '', locale })
      })
      await onChange(userId)
    },
  }
}

async function requireRow(transaction: Db, userId: number): Promise<UserRow> {
  const row = await userStore(transaction).byId(userId)
  if (!row) throw refuse('unauthenticated', 'auth.deactivated')
  return row
}

/** `id` is what the account is bound to from now on; empty for nothing. */
type Rebinding = Readonly<{ row: UserRow; provider: LoginProvider; id: string; locale: Locale }>

/**
 * Binds an account that still stands as it was looked at. What it was bound to before is free again and makes nobody new; the
 * owner finds in their log what their account can be opened by since when.
 */
async function rebind({ clock }: ProviderSignInDeps, transaction: Db, { row, provider, id, locale }: Rebinding) {
  const { column, name } = kinds[provider]
  const standing = { password: row.password, ...bindingsOf(row) }
  if (!(await userStore(transaction).patch(row.id, { [column]: id }, standing)))
    throw refuse('invalid', 'user.changed_meanwhile')
  const parted = identitiesOf(row).filter(({ kind, subject }) => kind === column && subject !== id)
  await pastIdentityStore(transaction).add(parted, unixSeconds(clock))
  const said = id === '' ? 'log.unbound' : 'log.bound'
  const told = ownLogRow({ ...row, clock, locale }, said, { name })
  await transaction.insertInto('logs').values(told).execute()
}

/** A new account for somebody, or the one they have been given meanwhile: who comes twice at once has one. */
async function create(deps: ProviderSignInDeps, provider: LoginProvider, who: ProvidedIdentity, by: SignUp) {
  const { column } = kinds[provider]
  const { inviteCode, locale, invited } = by
  const display_name = [...withoutUnseen(who.displayName)].slice(0, MAX_DISPLAY).join('')
  for (let tries = 1; ; tries += 1) {
    const username = await freeName(deps, provider, who, tries > 1)
    const email = await freeEmail(deps, who.email)
    const row = { username, email, display_name, password: '', [column]: who.id }
    try {
      const given = invited ? invitedAccount(deps, { row, invited, locale }) : { row }
      return await userStore(deps.db).byId(await addAccount(deps, { inviteCode, locale, ...given }))
    } catch (cause) {
      const found = await userLookups(deps.db).byProvider(column, who.id)
      if (found) return found
      // Somebody else was quicker with the name or the address; a link that is used up stays so.
      if (tries >= MAX_TRIES || isUsedUp(cause)) throw cause
    }
  }
}

/** What somebody who may become a new account came with; `invitation` is the code of a link, empty without one. */
type SignUpAsk = Readonly<{ inviteCode: string; invitation: string; door: RegistrationDoor; locale: Locale }>
type SignUp = Omit<SignUpAsk, 'invitation' | 'door'> & Readonly<{ invited: OpenInvitation | undefined }>

const isUsedUp = (cause: unknown): boolean => cause instanceof GatewayError && cause.key === 'invitation.none'

const MAX_TRIES = 6
const MAX_DISPLAY = 20

function active(row: UserRow): UserRow {
  if (row.deleted_at !== null) throw refuse('forbidden', 'auth.deactivated')
  if (row.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
  return row
}

/** What two who unbind at once both looked at. */
const bindingsOf = ({ github_id, oidc_id, wechat_id, telegram_id, linux_do_id }: UserRow) => ({
  github_id,
  oidc_id,
  wechat_id,
  telegram_id,
  linux_do_id,
})

/** An account that is bound by what it was bound by in other gateways: from now on it is bound as ours are. */
async function formerly(
  { db, clock }: ProviderSignInDeps,
  provider: LoginProvider,
  { id, formerId }: ProvidedIdentity,
  locale: Locale,
): Promise<UserRow | undefined> {
  if (!formerId || !(await wasImportedAfter(db, unixSeconds(clock) - FORMER_SECONDS))) return undefined
  const { column, name } = kinds[provider]
  const found = await userLookups(db).byProvider(column, formerId)
  if (!found || found.deleted_at !== null) return found
  // A name can be given up and taken by somebody else: nobody comes to manage others by one.
  if (found.role >= role.admin) return undefined
  return db.transaction().execute(async (transaction) => {
    const isDone = await userStore(transaction).patch(found.id, { [column]: id }, { [column]: formerId })
    if (!isDone) return undefined
    const told = ownLogRow({ ...found, clock, locale }, 'log.bound_by_name', { name, former: formerId })
    await transaction.insertInto('logs').values(told).execute()
    return { ...found, [column]: id }
  })
}

/** So long after an import a name that came with it opens an account; later somebody else may have it. */
const FORMER_SECONDS = 90 * 86_400

/** Whether anything was taken over from another gateway after a time, in unix seconds. */
async function wasImportedAfter(db: Db, since: number): Promise<boolean> {
  const found = await db.selectFrom('imports').select('id').where('created_at', '>', since).limit(1).executeTakeFirst()
  return found !== undefined
}

/** The name the provider tells, as accounts have names and where it is free; else one made of a number. */
async function freeName(
  { db }: ProviderSignInDeps,
  provider: LoginProvider,
  { username = '' }: ProvidedIdentity,
  isRaced: boolean,
): Promise<string> {
  const told = [...(username.split('@')[0] ?? '').trim()].slice(0, MAX_USERNAME).join('')
  const { prefix } = kinds[provider]
  const random = `${prefix}_${randomDigits(4)}`
  // Of many who come at once all would count on from the same account.
  const next = isRaced ? random : `${prefix}_${(await userLookups(db).lastId()) + 1}`
  for (const name of [told, next, random]) if (isName(name) && !(await takenIn(db, { username: name }))) return name
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

/** The address, where nobody has it and the operator's rules take it; else none. */
async function freeEmail({ db, settings }: ProviderSignInDeps, email: string): Promise<string> {
  const address = email.trim().toLowerCase()
  const isKept = address !== '' && address.length <= 50 && isWithinRules(address, settings)
  return isKept && !(await userLookups(db).isEmailTaken(address)) ? address : ''
}

function isWithinRules(address: string, settings: ProviderSignInDeps['settings']): boolean {
  try {
    checkMailRules(address, settings)
    return true
  } catch {
    return false
  }
}
