import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { tokenStatus, userStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { parsed } from '../../base/json/json.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import { addressList } from '../../limits/client-address.ts'
import { limitsIn } from '../../limits/token-limits.ts'
import type { TokenUseRegistry } from '../../limits/token-use-registry.ts'
import type { AccountRow, CallerRow, CallerRows } from '../../store/accounts/callers.ts'
import type { Account, Caller } from '../model/caller.ts'

type KnownKey = Readonly<{ caller: Caller; status: number; accountStatus: number; expires: number; readMs: number }>

/** Finds callers by key, in memory; every write to tokens and users invalidates its entries. */
export interface Identities {
  /** The caller with this key, synchronously if cached; throws the refusals of docs/reference/errors.md#refusals. */
  byKey(key: string, nowSeconds: number): MaybePromise<Caller>
  /** Throws like `byKey`. */
  byHash(keyHash: string, nowSeconds: number): MaybePromise<Caller>
  /** Throws like `byKey`, and `token.not_found` if the id does not exist. */
  byToken(tokenId: number, nowSeconds: number): MaybePromise<Caller>
  account(userId: number): MaybePromise<Account | undefined>
  forgetToken(keyHash: string): void
  forgetUser(userId: number): void
  forgetAll(): void
}

type IdentitiesDeps = Readonly<{
  rows: CallerRows
  uses: Pick<TokenUseRegistry, 'follow'>
  onExpired: (tokenId: number) => void
  monotonic: () => number
  /** Called with the account of each request. */
  onIdentified: (accountId: number) => void
}>

const MAX_CACHED = 10_000
/** Characters of a token's models and addresses that count as one more cache entry. */
const CHARS_PER_ENTRY = 1000
/** An entry of this age is read again. */
const FRESH_MS = 5000
/**
 * Until this age, an entry is used while PostgreSQL reads it again, and while PostgreSQL is away: changes invalidate it
 * (docs/growth.md#charges-and-faults).
 */
const MAX_AGE_MS = 60_000
/** Keys have 48 characters; imported ones may have more. Longer strings are rejected without hashing. */
const MAX_KEY_LENGTH = 128

/**
 * Caches over one query, keyed by the hashes of keys: 10,000 callers (fewer with long lists), and separately 10,000
 * unknown keys, against floods. An entry is invalidated by the same hash that finds it, so a change applies from the
 * next request on, even after an eviction.
 */
export function createIdentities({ rows, uses, onExpired, monotonic, onIdentified }: IdentitiesDeps): Identities {
  const known = new LRUCache<string, KnownKey>({ maxSize: MAX_CACHED, ...lruLife(MAX_AGE_MS, monotonic) })
  const unknown = new LRUCache<string, true>({ ...upTo(MAX_CACHED), ...lruLife(FRESH_MS, monotonic) })
  /**
   * Queries in flight by the hash of the key; one that is invalidated meanwhile still returns its result but does not
   * cache it.
   */
  const reading = new Map<string, Promise<KnownKey | undefined>>()
  const remember = (hash: string, row: CallerRow | undefined): KnownKey | undefined => {
    if (!row) {
      known.delete(hash)
      unknown.set(hash, true)
      return undefined
    }
    const found = knownOf(row, uses, monotonic())
    known.set(hash, found, { size: 1 + Math.floor((row.model_limits.length + row.allow_ips.length) / CHARS_PER_ENTRY) })
    return found
  }
  const read = (hash: string): MaybePromise<KnownKey | undefined> => {
    const row = rows.byHash(hash)
    if (!(row instanceof Promise)) return remember(hash, row)
    const found: Promise<KnownKey | undefined> = row
      .then((one) => (reading.get(hash) === found ? remember(hash, one) : one && knownOf(one, uses, monotonic())))
      .finally(() => {
        if (reading.get(hash) === found) reading.delete(hash)
      })
    reading.set(hash, found)
    return found
  }
  const look = (hash: string): MaybePromise<KnownKey | undefined> => {
    const cached = known.get(hash)
    if (cached ? monotonic() - cached.readMs < FRESH_MS : unknown.get(hash)) return cached
    const found = reading.get(hash) ?? read(hash)
    if (!cached || !(found instanceof Promise)) return found
    found.catch(() => {})
    return cached
  }
  const usable = (found: KnownKey | undefined, nowSeconds: number): Caller => {
    if (!found) throw refuse('unauthenticated', 'relay.badToken', {}, { code: 'invalid_api_key' })
    if (found.expires !== -1 && found.expires < nowSeconds) {
      if (found.status !== tokenStatus.expired) onExpired(found.caller.tokenId)
      throw refuse('unauthenticated', 'relay.tokenExpired', {}, { code: 'token_expired' })
    }
    refuseStatus(found)
    onIdentified(found.caller.account.id)
    return found.caller
  }
  const byHash = (hash: string, nowSeconds: number): MaybePromise<Caller> => {
    const found = look(hash)
    return found instanceof Promise ? found.then((one) => usable(one, nowSeconds)) : usable(found, nowSeconds)
  }
  return {
    byKey: (key, nowSeconds) =>
      key.length > MAX_KEY_LENGTH ? usable(undefined, nowSeconds) : byHash(sha256(key), nowSeconds),
    byHash,
    byToken: (tokenId, nowSeconds) =>
      whenKnown(rows.byTokenId(tokenId), (row) => {
        if (!row) throw refuse('missing', 'token.not_found')
        return usable(knownOf(row, uses, monotonic()), nowSeconds)
      }),
    account: (userId) =>
      whenKnown(rows.user(userId), (row) => (row?.user_status === userStatus.active ? accountOf(row) : undefined)),
    forgetToken(keyHash) {
      known.delete(keyHash)
      unknown.delete(keyHash)
      reading.delete(keyHash)
    },
    forgetAll() {
      for (const cache of [known, unknown, reading]) cache.clear()
    },
    forgetUser(userId) {
      reading.clear()
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

function knownOf(row: CallerRow, uses: IdentitiesDeps['uses'], readMs: number): KnownKey {
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
      limits: uses.follow({ id: row.token_id, accountId: row.user_id }, limitsIn(row)),
      isCached: row.response_cache === 1,
      keepsBodies: row.keep_bodies === 1,
      isGuest: row.is_guest === 1,
    }),
    status: row.token_status,
    accountStatus: row.user_status,
    expires: row.expired_time,
    readMs,
  }
}

const ownSetting = z.object({
  accept_unset_model_ratio_model: z.boolean().catch(false),
  record_ip_log: z.boolean().catch(false),
  quota_warning_threshold: z.number().positive().nullable().catch(null),
})

function accountOf(row: AccountRow): Account {
  const setting = ownSetting.parse(settingOf(row.setting))
  return Object.freeze({
    id: row.user_id,
    username: row.username,
    role: row.role,
    group: row.user_group || 'default',
    acceptUnset: setting.accept_unset_model_ratio_model,
    recordIp: setting.record_ip_log,
    remindBelow: setting.quota_warning_threshold,
  })
}

const settingOf = (text: string): unknown => (text ? (parsed(text) ?? {}) : {})
