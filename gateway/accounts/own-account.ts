import { randomUUID } from 'node:crypto'
import type { OwnChange, SettingChange } from '../../shared/api/own-account.ts'
import { logType, role } from '../../shared/enums.ts'
import type { Locale } from '../../shared/messages/format.ts'
import { ownLogRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomKey, sha256 } from '../base/ids.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Passwords } from '../base/secrets/passwords.ts'
import { takeRewards } from '../billing/invite-rewards.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { WebhookCheck } from '../notify/webhook-check.ts'
import type { Settings } from '../settings/settings.ts'
import { sessionStore } from '../store/accounts/sessions.ts'
import { tokenStore } from '../store/accounts/tokens.ts'
import { userLookups } from '../store/accounts/user-lookups.ts'
import { type UserPatch, userStore } from '../store/accounts/users.ts'
import type { UserRow } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import { checkPassword, checkUsername } from './account-fields.ts'
import type { Device } from './login/sessions.ts'
import type { RequirePassword } from './own-password.ts'
import { type CodeMails, typedCode } from './recovery/code-mail.ts'
import { mailAddress } from './recovery/mail-addresses.ts'
import { changedSetting, unprovenAddress } from './user-setting.ts'

type OwnAccountDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move' | 'flush'>
  passwords: Pick<Passwords, 'hash' | 'busy'>
  requirePassword: RequirePassword
  settings: Pick<Settings, 'get'>
  vault: Vault
  mails: Pick<CodeMails, 'send' | 'take'>
  refusalOf: WebhookCheck
  clock: Clock
  show: (quota: number) => string
  /** Called after an account changed, so that the relay drops what it caches about it. */
  onChange: (userId: number) => MaybePromise<void>
}>

/** The actions of users on their own account (docs/reference/accounts.md#own-account); `id` is the caller. */
export interface OwnAccount {
  /**
   * Writes the fields that are present. Returns the hash of a new password, which ends all sessions; undefined if the
   * password is unchanged.
   */
  update(id: number, change: OwnChange, by: Device & Readonly<{ locale: Locale }>): Promise<string | undefined>
  /** Deactivates the account permanently: ends its sessions and disables its tokens. Root cannot be deactivated. */
  remove(id: number, locale: Locale): Promise<void>
  /** Returns a new access token, which replaces the previous one; only its SHA-256 is stored. */
  accessToken(id: number, locale: Locale): Promise<string>
  inviteCode(id: number): Promise<string>
  /**
   * Moves invitation rewards to the balance: at least `QuotaPerUnit` (one dollar), at most the rewards available.
   * Throws for administrators other than root.
   */
  transfer(id: number, quota: number, locale: Locale): Promise<void>
  /** Sends the code `changeSetting` requires for an address other than the account's. */
  sendSettingCode(id: number, email: string, locale: Locale): Promise<void>
  changeSetting(id: number, change: SettingChange): Promise<void>
}

const TOKEN_LENGTH = 32
const CODE_LENGTH = 8
const MAX_TRIES = 10

export function createOwnAccount(deps: OwnAccountDeps): OwnAccount {
  const { db, ledger, settings, vault, mails, refusalOf, show, onChange } = deps
  const users = userStore(db)
  const find = async (id: number): Promise<UserRow> => {
    const row = await users.byId(id)
    if (!row) throw refuse('unauthenticated', 'auth.deactivated')
    return row
  }
  return {
    async update(id, change, by) {
      const row = await find(id)
      const patch = await patchOf(deps, row, { change, by })
      await writePatch(deps, row, patch, by.locale)
      await onChange(id)
      return patch.password
    },
    async remove(id, locale) {
      await deactivate(deps, await find(id), locale)
      await onChange(id)
    },
    async accessToken(id, locale) {
      const row = await find(id)
      const token = randomKey(TOKEN_LENGTH)
      await db.transaction().execute(async (transaction) => {
        await userStore(transaction).patch(id, { access_token_hash: sha256(token) })
        await transaction
          .insertInto('logs')
          .values(ownLogRow({ ...row, clock: deps.clock, locale }, 'log.access_token'))
          .execute()
      })
      return token
    },
    async inviteCode(id) {
      for (let tries = 1; ; tries += 1) {
        const { aff_code } = await find(id)
        if (aff_code) return aff_code
        try {
          const code = randomKey(CODE_LENGTH)
          if (await userLookups(db).setInviteCode(id, code)) return code
        } catch (cause) {
          // Another account has this code.
          if (tries >= MAX_TRIES) throw cause
        }
      }
    },
    async transfer(id, quota, locale) {
      const row = await find(id)
      // Administrators set the value of an invitation, so they could pay themselves.
      if (row.role >= role.admin && row.role < role.root) throw refuse('forbidden', 'aff.administrator')
      const min = settings.get('QuotaPerUnit')
      if (quota < min) throw refuse('invalid', 'aff.min', { amount: show(min) })
      await ledger.move({
        kind: 'transfer',
        userId: id,
        amount: quota,
        refType: 'rewards',
        refId: randomUUID(),
        async together(transaction) {
          if (!(await takeRewards(transaction, id, quota))) throw refuse('invalid', 'aff.short')
        },
        log: {
          ...ownLogRow({ ...row, clock: deps.clock, locale }, 'log.transfer', { amount: show(quota) }),
          type: logType.system,
        },
      })
    },
    sendSettingCode: (id, email, locale) => mails.send(mailAddress(email), typedCode(noticePurpose(id), locale)),
    async changeSetting(id, { notification_code: code = '', ...change }) {
      const before = await find(id)
      // Validate first: a change rejected for another reason must not consume the code.
      changedSetting(before, change, { vault, refusalOf })
      await requireProven(deps, before, { change, code: code.trim() })
      for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
        const row = await find(id)
        const setting = changedSetting(row, change, { vault, refusalOf })
        // Concurrent saves must not overwrite each other.
        if (await users.patch(id, { setting }, { setting: row.setting })) return onChange(id)
      }
      throw refuse('invalid', 'user.changed_meanwhile')
    },
  }
}

const noticePurpose = (userId: number): string => `notices ${userId}`

async function requireProven(
  { mails }: OwnAccountDeps,
  row: UserRow,
  { change, code }: Readonly<{ change: SettingChange; code: string }>,
): Promise<void> {
  const address = unprovenAddress(row, change)
  if (address === undefined) return
  if (code === '') throw refuse('invalid', 'setting.need_code')
  if (!(await mails.take(noticePurpose(row.id), address, code))) throw refuse('invalid', 'code.wrong')
}

async function deactivate(deps: OwnAccountDeps, row: UserRow, locale: Locale): Promise<void> {
  if (row.role === role.root) throw refuse('forbidden', 'user.root_delete')
  await deps.db.transaction().execute(async (transaction) => {
    const isDone = await userStore(transaction).patch(
      row.id,
      { deleted_at: unixSeconds(deps.clock) },
      { role: row.role },
    )
    if (!isDone) throw refuse('invalid', 'user.changed_meanwhile')
    await sessionStore(transaction).removeOf(row.id)
    await tokenStore(transaction).disableOf(row.id)
    const params = { name: row.username, id: row.id }
    await transaction
      .insertInto('logs')
      .values(ownLogRow({ ...row, clock: deps.clock, locale }, 'log.user_left', params))
      .execute()
  })
}

type Changing = Readonly<{ change: OwnChange; by: Device }>

async function patchOf(deps: OwnAccountDeps, row: UserRow, { change, by }: Changing): Promise<UserPatch> {
  const { db, passwords, requirePassword } = deps
  const patch: UserPatch = {}
  const username = change.username?.trim()
  if (username !== undefined && username !== row.username) {
    if (username === '') throw refuse('invalid', 'user.need_name')
    checkUsername(username)
    if (await userStore(db).isTaken(username, row.id)) throw refuse('invalid', 'register.exists')
    patch.username = username
  }
  if (change.display_name !== undefined) patch.display_name = change.display_name.trim() || (username ?? row.username)
  if (!change.password) return patch
  checkPassword(change.password)
  const { original_password: original = '' } = change
  await requirePassword(row, original, by)
  if (row.password !== '' && original === change.password) throw refuse('invalid', 'pw.same')
  if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
  return { ...patch, password: await passwords.hash(change.password) }
}

/**
 * Writes the patch. A new password only replaces the one that was verified, and ends all sessions and the access token.
 */
async function writePatch(deps: OwnAccountDeps, row: UserRow, patch: UserPatch, locale: Locale): Promise<void> {
  const { db } = deps
  const isNew = patch.password !== undefined
  try {
    await db.transaction().execute(async (transaction) => {
      const proven = isNew ? { password: row.password } : {}
      const written = isNew ? { ...patch, access_token_hash: null } : patch
      if (!(await userStore(transaction).patch(row.id, written, proven)))
        throw refuse('invalid', 'user.changed_meanwhile')
      if (!isNew) return
      await sessionStore(transaction).removeOf(row.id)
      await transaction
        .insertInto('logs')
        .values(ownLogRow({ ...row, clock: deps.clock, locale }, 'log.password_changed'))
        .execute()
    })
  } catch (cause) {
    const { username } = patch
    const isTaken = username !== undefined && (await userStore(db).isTaken(username, row.id))
    throw isTaken ? refuse('invalid', 'register.exists', {}, { cause }) : cause
  }
}
