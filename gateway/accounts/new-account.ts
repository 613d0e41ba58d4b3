import type { Transaction } from 'kysely'
import { logType, role as roles, userStatus } from '../../shared/enums.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { addReward } from '../billing/invite-rewards.ts'
import type { Ledger, Movement } from '../billing/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import { identitiesOf, pastIdentityStore } from '../store/accounts/past-identities.ts'
import { userLookups } from '../store/accounts/user-lookups.ts'
import { type NewUser, userStore } from '../store/accounts/users.ts'
import type { NewLog, Schema } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'

export type NewAccountDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move'>
  settings: Pick<Settings, 'get'>
  clock: Clock
  show: (quota: number) => string
}>

export type NewAccount = Readonly<{
  row: Pick<NewUser, 'username' | 'password' | 'email' | 'github_id' | 'oidc_id' | 'wechat_id' | 'linux_do_id'> &
    Readonly<{ display_name?: string; role?: number; group?: string; remark?: string }>
  /** The inviter's code. Ignored if unknown, or if the identity had an account before. */
  inviteCode?: string
  /** An initial grant in addition to that of all new users. */
  extra?: Readonly<{ quota: number; from: string }>
  /** Runs in the transaction that creates the account; throwing rolls all of it back. */
  together?: (transaction: Transaction<Schema>, id: number) => Promise<void>
  locale: Locale
  audit?: (id: number) => NewLog
}>

const MAX_TRIES = 10

/**
 * Adds an account, the grant for new users (0 if the same address or binding had an account before) and the rewards for
 * inviter and invitee, all in one transaction (docs/reference/accounts.md#registration). Returns its id. Throws if the
 * name or address is taken, even by a deactivated account.
 */
export async function addAccount(deps: NewAccountDeps, account: NewAccount): Promise<number> {
  const { db, ledger, clock } = deps
  const { username, display_name, role = roles.user } = account.row
  const at = unixSeconds(clock)
  const row: NewUser = {
    ...account.row,
    display_name: display_name || username,
    role,
    status: userStatus.active,
    created_at: at,
  }
  for (let tries = 1; ; tries += 1)
    try {
      const id = await userStore(db).nextId(row)
      const isNew = !(await pastIdentityStore(db).hasAny(identitiesIn(row)))
      const inviter = isNew ? await inviterOf(db, account.inviteCode) : undefined
      await ledger.move(
        ...movementsOf(deps, account, { id, at, row: { ...row, inviter_id: inviter?.id ?? 0 }, inviter, isNew }),
      )
      return id
    } catch (cause) {
      // Retrying is pointless: the rules would reject it again.
      if (cause instanceof GatewayError) throw cause
      const conflict = await takenIn(db, row)
      if (conflict) throw refuse('invalid', conflict, {}, { cause })
      // Two accounts added concurrently may get the same id; the second one retries with the next.
      if (tries >= MAX_TRIES) throw cause
    }
}

export async function takenIn(
  db: Db,
  { username, email = '' }: Pick<NewUser, 'username' | 'email'>,
): Promise<'register.exists' | 'email.taken' | undefined> {
  if (await userStore(db).isTaken(username)) return 'register.exists'
  return email !== '' && (await userLookups(db).isEmailTaken(email)) ? 'email.taken' : undefined
}

const identitiesIn = ({ email = '', github_id = '', oidc_id = '', linux_do_id = '', wechat_id = '' }: NewUser) =>
  identitiesOf({ email, github_id, oidc_id, linux_do_id, wechat_id, telegram_id: '' })

type Inviter = Readonly<{ id: number; username: string }>

const inviterOf = async (db: Db, code = ''): Promise<Inviter | undefined> =>
  code === '' ? undefined : userLookups(db).byInviteCode(code)

type CreatedUser = Readonly<{ id: number; at: number; row: NewUser; inviter: Inviter | undefined; isNew: boolean }>

/** The grant for new users, whose transaction creates the row, then the grants for invited users. */
function movementsOf(deps: NewAccountDeps, account: NewAccount, created: CreatedUser): [Movement, ...Movement[]] {
  const { settings, show } = deps
  const { locale, audit, extra, together } = account
  const { id, at, row, inviter, isNew } = created
  const grantLog = (
    key: 'log.new_user' | 'log.invitee' | 'log.inviter' | 'log.invited',
    amount: number,
    to: Inviter,
  ): NewLog => ({
    user_id: to.id,
    username: to.username,
    created_at: at,
    type: logType.system,
    content: formatMessage(locale, key, { amount: show(amount) }),
    other: '{}',
  })
  const own = { id, username: row.username }
  const [bonus, invitee, reward] = [
    isNew ? settings.get('QuotaForNewUser') : 0,
    settings.get('QuotaForInvitee'),
    settings.get('QuotaForInviter'),
  ]
  const first: Movement = {
    kind: 'grant',
    userId: id,
    amount: bonus,
    refType: 'new user',
    refId: String(id),
    async together(transaction) {
      await together?.(transaction, id)
      await userStore(transaction).add({ ...row, id })
      const logs = [
        ...(audit ? [audit(id)] : []),
        ...(inviter && reward > 0 ? [grantLog('log.inviter', reward, inviter)] : []),
      ]
      if (logs.length > 0) await transaction.insertInto('logs').values(logs).execute()
      if (inviter) await addReward(transaction, inviter.id, reward)
    },
    ...(bonus > 0 && { log: grantLog('log.new_user', bonus, own) }),
  }
  const more: Movement[] = []
  if (inviter && invitee > 0) {
    const log = grantLog('log.invitee', invitee, own)
    more.push({ kind: 'invite', userId: id, amount: invitee, refType: 'invitee', refId: String(id), log })
  }
  if (extra && extra.quota > 0) {
    const log = grantLog('log.invited', extra.quota, own)
    more.push({ kind: 'grant', userId: id, amount: extra.quota, refType: extra.from, refId: String(id), log })
  }
  return [first, ...more]
}
