import {
  type CreationOptions,
  MAX_PASSKEYS,
  type NewPasskey,
  type PasskeyView,
  type RequestOptions,
  type ShownPasskey,
} from '../../../shared/api/passkey.ts'
import { userStatus } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { ownLogRow } from '../../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { PasskeyChallenges } from '../../shared-state/passkey-challenges.ts'
import { type NewPasskeyRow, type PasskeyRow, passkeyStore } from '../../store/accounts/passkeys.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { hasLoginMethod } from '../login/login-methods.ts'
import type { Device } from '../login/sessions.ts'
import type { RequirePassword } from '../own-password.ts'
import { createPasskeyCeremony, type MadePasskey, type PasskeyOrigin } from './passkey-ceremony.ts'

type PasskeysDeps = Readonly<{
  db: Db
  clock: Clock
  settings: Pick<Settings, 'get'>
  requirePassword: RequirePassword
  challenges: PasskeyChallenges
}>

type PasskeyAnswer = Readonly<{ mark: string | undefined; locale: Locale }>

type FirstPasskey = Omit<NewPasskeyRow, 'user_id'>

/** Passkeys: login without a name, a password or a code (docs/reference/accounts.md#passkeys). */
export interface Passkeys {
  countOf(userId: number): Promise<number>
  listOf(userId: number): Promise<PasskeyView[]>
  /**
   * Begins creating a passkey. Throws if the account has a password and this is not it, or if the account has the
   * maximum of passkeys.
   */
  begin(
    userId: number,
    password: string,
    at: Readonly<{ origin: PasskeyOrigin; device: Device }>,
  ): Promise<CreationOptions>
  add(userId: number, passkey: NewPasskey, by: PasskeyAnswer): Promise<PasskeyView>
  beginFirst(username: string, origin: PasskeyOrigin): Promise<CreationOptions>
  first(passkey: NewPasskey, by: PasskeyAnswer): Promise<FirstPasskey>
  beginLogin(origin: PasskeyOrigin): Promise<RequestOptions>
  /**
   * Returns the account a passkey logs in to. Throws the same error for an unknown passkey, a failed verification and
   * an inactive account; calls `noteFailure` with the account if it is known.
   */
  enter(shown: ShownPasskey, mark: string | undefined, noteFailure: (userId: number) => Promise<void>): Promise<UserRow>
  rename(userId: number, id: number, name: string): Promise<void>
  /** Removes a passkey. Throws if the account would be left without a login method. */
  remove(userId: number, id: number, locale: Locale): Promise<void>
}

export function createPasskeys({ db, clock, settings, requirePassword, challenges }: PasskeysDeps): Passkeys {
  const store = passkeyStore(db)
  const ceremony = createPasskeyCeremony(challenges)
  const rowOf = (made: MadePasskey, { name }: NewPasskey, locale: Locale): FirstPasskey => ({
    ...made,
    name: name.trim() || formatMessage(locale, 'passkey.usual'),
    created_at: unixSeconds(clock),
    last_used_at: null,
  })
  return {
    countOf: (userId) => store.countOf(userId),
    listOf: async (userId) => (await store.listOf(userId)).map(viewOf),
    async begin(userId, password, { origin, device }) {
      const user = await active(db, userId)
      await requirePassword(user, password, device)
      const existing = await store.listOf(userId)
      requireBelowMax(existing.length)
      const owner = { userId, username: user.username, displayName: user.display_name, existing }
      return ceremony.beginMaking({ ...owner, purpose: 'add', site: settings.get('SystemName') }, origin)
    },
    async add(userId, passkey, { mark, locale }) {
      const made = await ceremony.made(passkey, { purpose: 'add', userId, mark })
      const row = { ...rowOf(made, passkey, locale), user_id: userId }
      return db.transaction().execute(async (transaction) => {
        const user = await active(transaction, userId)
        requireBelowMax(await passkeyStore(transaction).countOf(userId))
        const id = await addPasskey(transaction, row)
        const logRow = ownLogRow({ ...user, clock, locale }, 'log.passkey_on', { name: row.name })
        await transaction.insertInto('logs').values(logRow).execute()
        return viewOf({ ...row, id })
      })
    },
    beginFirst(username, page) {
      const owner = { userId: 0, username, displayName: username, existing: [] }
      return ceremony.beginMaking({ ...owner, purpose: 'register', site: settings.get('SystemName') }, page)
    },
    async first(passkey, { mark, locale }) {
      return rowOf(await ceremony.made(passkey, { purpose: 'register', userId: 0, mark }), passkey, locale)
    },
    beginLogin: (page) => ceremony.beginLogin(page),
    async enter(shown, mark, noteFailure) {
      const challenge = await ceremony.startedLogin(shown, mark)
      const row = await store.byCredential(shown.id, challenge.rpId)
      const user = row && (await userStore(db).byId(row.user_id))
      if (!row || !user) throw refuse('forbidden', 'passkey.refused')
      const verified = await ceremony.proven(shown, row, challenge)
      const isIn = verified !== undefined && user.status === userStatus.active
      if (isIn && (await store.use(row.id, { ...verified, last_used_at: unixSeconds(clock) }))) return user
      await noteFailure(user.id)
      throw refuse('forbidden', 'passkey.refused')
    },
    async rename(userId, id, name) {
      if (name.trim() === '') throw refuse('invalid', 'passkey.need_name')
      if (!(await store.rename(userId, id, name.trim()))) throw refuse('missing', 'passkey.none')
    },
    remove: (userId, id, locale) =>
      db.transaction().execute(async (transaction) => {
        const own = passkeyStore(transaction)
        const user = await active(transaction, userId)
        const row = await own.one(userId, id)
        if (!row) throw refuse('missing', 'passkey.none')
        if (!hasLoginMethod(user, settings) && (await own.countOf(userId)) === 1) throw refuse('invalid', 'oauth.last')
        await own.remove(id)
        const logRow = ownLogRow({ ...user, clock, locale }, 'log.passkey_off', { name: row.name })
        await transaction.insertInto('logs').values(logRow).execute()
      }),
  }
}

/** Stores a passkey within the caller's transaction. Throws if the credential already exists. */
export async function addPasskey(transaction: Db, row: NewPasskeyRow): Promise<number> {
  const id = await passkeyStore(transaction).add(row)
  if (id === undefined) throw refuse('invalid', 'passkey.known')
  return id
}

async function active(db: Db, userId: number): Promise<UserRow> {
  const user = await userStore(db).byId(userId)
  if (!user) throw refuse('unauthenticated', 'auth.deactivated')
  if (user.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
  return user
}

function requireBelowMax(count: number): void {
  if (count >= MAX_PASSKEYS) throw refuse('invalid', 'passkey.many', { max: MAX_PASSKEYS })
}

const viewOf = ({ id, name, rp_id, backed_up, created_at, last_used_at }: PasskeyRow): PasskeyView => ({
  id,
  name,
  host: rp_id,
  is_synced: backed_up === 1,
  created_at,
  last_used_at,
})
