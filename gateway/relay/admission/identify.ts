import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { tokenStatus, userStatus } from '../../../shared/enums.ts'
import { lruLife } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { parsed } from '../../base/json.ts'
import { addressList } from '../../limits/client-address.ts'
import { limitColumns, limitsIn } from '../../limits/token-limits.ts'
import type { TokenUses } from '../../limits/token-uses.ts'
import type { Db, Sqlite } from '../../store/database.ts'
import { prepared, type Slot } from '../../store/prepared.ts'
import type { Account, Caller } from '../model/caller.ts'

type KnownKey = Readonly<{ caller: Caller; status: number; accountStatus: number; expires: number }>

/** Finds callers by key, from memory; every write to tokens and users forgets what it changed. */
export interface Identities {
  /** The caller with this key; throws the refusals of docs/reference/errors.md#refusals. */
  byKey(key: string, nowSeconds: number): Caller
  /** The caller with the token of this id; throws the same, and `token.not_found` where there is none. */
  byToken(tokenId: number, nowSeconds: number): Caller
  account(userId: number): Account | undefined
  forgetToken(keyHash: string): void
  forgetUser(userId: number): void
}

export type IdentitiesDeps = Readonly<{
  db: Db
  reader: Sqlite
  uses: Pick<TokenUses, 'follow'>
  /** Called when a token is found to have expired, so that its row says so. */
  onExpired: (tokenId: number) => void
  /** Monotonic milliseconds. */
  monotonic: () => number
}>

const KEPT = 10_000
const KEPT_MS = 5000
/** Keys have 48 characters; imported ones may have more. What is longer than this is none, and is not even hashed. */
const LONGEST_KEY = 128

/**
 * Caches over one prepared join, by the keys' hashes alone: the callers of 10,000 keys, and apart from them 10,000 keys
 * that nobody has, against floods. An entry is found by the very hash that is forgotten, so that whatever else was
 * evicted, a change counts from the next request on.
 */
export function createIdentities({ db, reader, uses, onExpired, monotonic }: IdentitiesDeps): Identities {
  const joined = prepared(reader, (slot: Slot<{ hash: string }>) =>
    joinQuery(db).where('tokens.key_hash', '=', slot('hash')),
  )
  const byId = prepared(reader, (slot: Slot<{ id: number }>) => joinQuery(db).where('tokens.id', '=', slot('id')))
  const userOnly = prepared(reader, (slot: Slot<{ id: number }>) => userQuery(db).where('users.id', '=', slot('id')))
  const known = new LRUCache<string, KnownKey>({ max: KEPT, ...lruLife(KEPT_MS, monotonic) })
  const unknown = new LRUCache<string, true>({ max: KEPT, ...lruLife(KEPT_MS, monotonic) })
  const look = (key: string): KnownKey | undefined => {
    if (key.length > LONGEST_KEY) return undefined
    const hash = sha256(key)
    const cached = known.get(hash)
    if (cached !== undefined || unknown.get(hash)) return cached
    const row = joined.one({ hash })
    if (!row) return void unknown.set(hash, true)
    const found = knownOf(row, uses)
    known.set(hash, found)
    return found
  }
  const usable = (found: KnownKey, nowSeconds: number): Caller => {
    if (found.expires !== -1 && found.expires < nowSeconds) {
      if (found.status !== tokenStatus.expired) onExpired(found.caller.tokenId)
      throw refuse('unauthenticated', 'relay.tokenExpired', {}, { code: 'token_expired' })
    }
    refuseStatus(found)
    return found.caller
  }
  return {
    byKey(key, nowSeconds) {
      const found = look(key)
      if (!found) throw refuse('unauthenticated', 'relay.badToken', {}, { code: 'invalid_api_key' })
      return usable(found, nowSeconds)
    },
    byToken(tokenId, nowSeconds) {
      const row = byId.one({ id: tokenId })
      if (!row) throw refuse('missing', 'token.not_found')
      return usable(knownOf(row, uses), nowSeconds)
    },
    account(userId) {
      const row = userOnly.one({ id: userId })
      return row && row.user_status === userStatus.active ? accountOf(row) : undefined
    },
    forgetToken(keyHash) {
      known.delete(keyHash)
      unknown.delete(keyHash)
    },
    forgetUser(userId) {
      for (const [hash, { caller }] of [...known.entries()]) if (caller.account.id === userId) known.delete(hash)
    },
  }
}

function refuseStatus({ status, accountStatus }: KnownKey): void {
  if (status === tokenStatus.exhausted)
    throw refuse('exhausted', 'relay.tokenExhausted', {}, { code: 'insufficient_quota' })
  if (status === tokenStatus.expired)
    throw refuse('unauthenticated', 'relay.tokenExpired', {}, { code: 'token_expired' })
  if (status !== tokenStatus.enabled)
    throw refuse('unauthenticated', 'relay.tokenDisabled', {}, { code: 'token_disabled' })
  if (accountStatus !== userStatus.active) throw refuse('forbidden', 'relay.userBanned', {}, { code: 'user_banned' })
}

const userQuery = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id as user_id',
      'users.username',
      'users.role',
      'users.status as user_status',
      'users.group as user_group',
      'users.setting',
    ])

const joinQuery = (db: Db) =>
  userQuery(db)
    .innerJoin('tokens', 'tokens.user_id', 'users.id')
    .where('tokens.deleted_at', 'is', null)
    .select([
      'tokens.id as token_id',
      'tokens.name as token_name',
      'tokens.status as token_status',
      'tokens.expired_time',
      'tokens.model_limits_enabled',
      'tokens.model_limits',
      'tokens.allow_ips',
      'tokens.group as token_group',
    ])
    .select(limitColumns.map((name) => `tokens.${name}` as const))

type UserRow = { user_id: number; username: string; role: number; user_group: string; setting: string }
type JoinRow = NonNullable<Awaited<ReturnType<ReturnType<typeof joinQuery>['executeTakeFirst']>>>

function knownOf(row: JoinRow, uses: IdentitiesDeps['uses']): KnownKey {
  return {
    caller: Object.freeze({
      account: accountOf(row),
      tokenId: row.token_id,
      tokenName: row.token_name,
      tokenGroup: row.token_group,
      models:
        row.model_limits_enabled === 1
          ? new Set(
              row.model_limits
                .split(',')
                .map((name) => name.trim())
                .filter(Boolean),
            )
          : null,
      allows: addressList(row.allow_ips),
      limits: uses.follow(row.token_id, limitsIn(row)),
    }),
    status: row.token_status,
    accountStatus: row.user_status,
    expires: row.expired_time,
  }
}

const ownSetting = z.object({
  accept_unset_model_ratio_model: z.boolean().catch(false),
  record_ip_log: z.boolean().catch(false),
})

function accountOf(row: UserRow): Account {
  const setting = ownSetting.parse(settingOf(row.setting))
  return Object.freeze({
    id: row.user_id,
    username: row.username,
    role: row.role,
    group: row.user_group || 'default',
    acceptUnset: setting.accept_unset_model_ratio_model,
    recordIp: setting.record_ip_log,
  })
}

const settingOf = (text: string): unknown => (text ? (parsed(text) ?? {}) : {})
