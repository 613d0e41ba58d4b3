import { setImmediate as nextIteration } from 'node:timers/promises'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { MAX_GUEST_DAYS } from '../../../shared/api/guest-key.ts'
import type { BudgetUse, NewToken, TokenChange, TokenSort, TokenView } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { createFairQueue } from '../../base/fair-queue.ts'
import { randomKey, sha256 } from '../../base/ids.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { type ReadMemory, type RowSize, readInSteps } from '../../base/row-steps.ts'
import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import type { Ledger } from '../../billing/ledger.ts'
import { type NewTokenRow, type TokenPatch, tokenStore } from '../../store/accounts/tokens.ts'
import type { PageRange } from '../../store/page.ts'
import type { TokenRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { GroupSettings } from '../groups.ts'
import { type FieldRules, hasExpired, isExhausted, type TokenOwner, tokenColumns } from './token-fields.ts'
import { limitColumns, limitsShown } from './token-limit-fields.ts'

type TokenDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'changeToken' | 'flush' | 'forget'>
  vault: Vault
  settings: GroupSettings
  clock: Clock
  /**
   * Called after a token changed or was deleted, so that the relay drops what it caches about it; `isOver` aborts its
   * running requests.
   */
  onChange?: (tokenId: number, keyHash: string, isOver: boolean) => MaybePromise<void>
  budgetUse: (row: TokenRow) => Promise<BudgetUse[]>
}>

/**
 * API tokens and their rules (docs/reference/accounts.md#api-tokens). All calls except `disable` are scoped to one
 * owner: a missing token, a deleted one and another user's throw the same `token.not_found`. Views contain the
 * decrypted key.
 */
export interface Tokens {
  /** A page in the order of `sort`, by default newest first, and the total count. */
  page(
    userId: number,
    range: PageRange,
    sort: TokenSort,
    memory: ReadMemory,
  ): Promise<{ rows: TokenView[]; total: number }>
  /**
   * At most 100 tokens whose name contains `keyword` and whose key contains `key`; throws if `key` has 1 or 2
   * characters.
   */
  search(
    userId: number,
    wanted: Readonly<{ keyword: string; key: string; sort?: TokenSort }>,
    memory: ReadMemory,
  ): Promise<TokenView[]>
  one(userId: number, id: number): Promise<TokenView>
  create(owner: TokenOwner, fields: NewToken): Promise<TokenView>
  /** Creates a guest key (docs/reference/share-people.md#guest-keys); throws without a limit or an early expiry. */
  createGuest(owner: TokenOwner, fields: NewToken): Promise<TokenView>
  /** The newest guest keys of a user, at most 200. */
  guests(userId: number, memory: ReadMemory): Promise<TokenView[]>
  /** Disables a token of any owner and aborts its running requests. */
  disable(id: number): Promise<TokenRow>
  /** Writes the fields that are present; with `statusOnly`, only the status. */
  update(owner: TokenOwner, change: TokenChange, statusOnly: boolean): Promise<TokenView>
  /** Replaces the key of a token; the old key stops working immediately, on all nodes. */
  rekey(userId: number, id: number): Promise<TokenView>
  remove(userId: number, id: number): Promise<void>
  idOf(userId: number, key: string): Promise<number>
}

const MAX_PER_USER = 1000
const MAX_FOUND = 100
const MAX_GUESTS = 200
/** Max searches waiting, over all accounts, while one decrypts keys. */
const MAX_SEARCHES = 100
const KEYS_AT_ONCE = 25
const KEY_LENGTH = 48
const MIN_SEARCH_LENGTH = 3

export function createTokens(deps: TokenDeps): Tokens {
  const { db, ledger, vault, settings, clock } = deps
  const onChange = (id: number, keyHash: string, isOver = false) => deps.onChange?.(id, keyHash, isOver)
  const tokens = tokenStore(db)
  const rules = (): FieldRules => ({ settings, now: unixSeconds(clock) })
  const view = async (row: TokenRow) => viewOf(row, vault, await deps.budgetUse(row))
  const owned = async (userId: number, id: number): Promise<TokenRow> => {
    await ledger.flush()
    return (await tokens.one(userId, id)) ?? notFound()
  }
  const add = async (owner: TokenOwner, fields: NewToken, is_guest: number) => {
    const columns = { ...tokenColumns(fields, owner, rules()), ...limitColumns(fields), ...limitOf(fields) }
    const own = { user_id: owner.id, created_time: unixSeconds(clock), is_guest }
    const row = await owned(owner.id, await insert(db, vault, { ...columns, ...own }))
    await onChange(row.id, row.key_hash)
    return view(row)
  }
  return {
    ...listings(deps, view),
    one: async (userId, id) => view(await owned(userId, id)),
    create: (owner, fields) => add(owner, fields, 0),
    async createGuest(owner, fields) {
      checkGuest(fields.expired_time, fields.unlimited_quota, unixSeconds(clock))
      return add(owner, fields, 1)
    },
    async disable(id) {
      const row = (await tokens.byId(id)) ?? notFound()
      await tokens.update(row.user_id, id, { status: tokenStatus.disabled })
      await onChange(id, row.key_hash, true)
      return row
    },
    async update(owner, change, statusOnly) {
      const row = await owned(owner.id, change.id)
      const edit = statusOnly ? { patch: {}, ...unchangedLimit(row) } : editOf(row, change, owner, rules())
      const next = { ...row, ...edit.patch, ...edit.after }
      if (row.is_guest === 1) checkGuest(next.expired_time, next.unlimited_quota === 1, rules().now)
      const status = nextStatus(row, change, next, { statusOnly, now: rules().now })
      await write(deps, row, edit, status === row.status ? edit.patch : { ...edit.patch, status })
      await onChange(row.id, row.key_hash, status === tokenStatus.disabled)
      return view(await owned(owner.id, row.id))
    },
    async rekey(userId, id) {
      const row = await owned(userId, id)
      const key = randomKey(KEY_LENGTH)
      const next = { key: vault.seal(key, sealContextOf(id)), key_hash: sha256(key) }
      // A concurrent change wins; its key stays.
      if (!(await tokens.rekey(row, next, unixSeconds(clock)))) throw refuse('invalid', 'token.key_changed')
      await onChange(id, row.key_hash, true)
      await onChange(id, next.key_hash)
      return view(await owned(userId, id))
    },
    async remove(userId, id) {
      const row = await owned(userId, id)
      if (!(await tokens.remove(userId, id, unixSeconds(clock)))) return notFound()
      ledger.forget({ tokenId: id })
      await onChange(id, row.key_hash, true)
    },
    async idOf(userId, key) {
      const row = await tokens.byKeyHash(sha256(withoutPrefix(key)))
      return row?.user_id === userId ? row.id : notFound()
    },
  }
}

function listings(
  { db, ledger, vault }: Pick<TokenDeps, 'db' | 'ledger' | 'vault'>,
  view: (row: TokenRow) => Promise<TokenView>,
): Pick<Tokens, 'page' | 'search' | 'guests'> {
  const tokens = tokenStore(db)
  const searchQueue = createFairQueue(1, MAX_SEARCHES)
  const views = async (userId: number, sizes: readonly RowSize[], memory: ReadMemory): Promise<TokenView[]> => {
    await ledger.flush()
    return Promise.all((await readInSteps(sizes, (ids) => tokens.ofUser(userId, ids), memory)).map(view))
  }
  /**
   * Returns the ids of the newest tokens whose name contains `keyword` and whose key contains `part`. Decrypts keys in
   * batches and yields between them.
   */
  const withKey = async (userId: number, keyword: string, part: string): Promise<number[]> => {
    const release = await searchQueue.take(userId).catch(() => {
      throw refuse('limited', 'read.busy', {}, { retryAfterSeconds: 1 })
    })
    try {
      const found: number[] = []
      for (const [index, row] of (await tokens.keys(userId, keyword, MAX_PER_USER)).entries()) {
        if (openedKey(row, vault).includes(part)) found.push(row.id)
        if (found.length === MAX_FOUND) break
        // Does not wait for the account's turn, since all other searches would wait too.
        if (index % KEYS_AT_ONCE === 0) await nextIteration()
      }
      return found
    } finally {
      release()
    }
  }
  return {
    async page(userId, range, sort, memory) {
      const [rows, total] = await Promise.all([tokens.sizes(userId, range, sort), tokens.count(userId)])
      return { rows: await views(userId, rows, memory), total }
    },
    async search(userId, { keyword, key, sort }, memory) {
      const part = withoutPrefix(key)
      if (part !== '' && part.length < MIN_SEARCH_LENGTH)
        throw refuse('invalid', 'token.search_short', { min: MIN_SEARCH_LENGTH })
      const ids = part === '' ? undefined : await withKey(userId, keyword, part)
      return views(userId, await tokens.namedSizes(userId, { part: keyword, sort, limit: MAX_FOUND, ids }), memory)
    },
    guests: async (userId, memory) => views(userId, await tokens.guestSizes(userId, MAX_GUESTS), memory),
  }
}

/** A leading `sk-` is not part of the key (docs/reference/accounts.md#api-tokens). */
const withoutPrefix = (key: string) => key.replace(/^sk-/, '')

function notFound(): never {
  throw refuse('missing', 'token.not_found')
}

function checkGuest(expiredTime: number, isUnlimited: boolean, now: number): void {
  if (expiredTime === -1 || isUnlimited) throw refuse('invalid', 'token.guest')
  if (expiredTime > now + MAX_GUEST_DAYS * 86_400) throw refuse('invalid', 'token.guest_long', { days: MAX_GUEST_DAYS })
}

type NewColumns = Omit<NewTokenRow, 'key' | 'key_hash'>

/**
 * The id is part of the key's encryption context, so the row is inserted first and its key set before the transaction
 * commits.
 */
const insert = (db: Db, vault: Vault, columns: NewColumns): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const tokens = tokenStore(transaction)
    if ((await tokens.count(columns.user_id)) >= MAX_PER_USER)
      throw refuse('invalid', 'token.limit', { max: MAX_PER_USER })
    const key = randomKey(KEY_LENGTH)
    const id = await tokens.insert({ ...columns, key_hash: sha256(key), key: '' })
    await tokens.update(columns.user_id, id, { key: vault.seal(key, sealContextOf(id)) })
    return id
  })

const limitOf = ({ remain_quota, unlimited_quota }: NewToken) => ({
  remain_quota,
  unlimited_quota: unlimited_quota ? 1 : 0,
})

type Edit = Readonly<{ patch: TokenPatch; delta: number; after: Limit }>
type Limit = Pick<TokenRow, 'remain_quota' | 'unlimited_quota'>

const unchangedLimit = ({ remain_quota, unlimited_quota }: TokenRow) => ({
  delta: 0,
  after: { remain_quota, unlimited_quota },
})

/**
 * A new remaining quota is applied as a difference from the value the editor loaded (`remain_quota_base`), so that
 * quota spent meanwhile stays spent (docs/reference/accounts.md#api-tokens). Without a base it is absolute.
 */
function editOf(row: TokenRow, change: TokenChange, owner: TokenOwner, rules: FieldRules): Edit {
  const { remain_quota: newRemaining, remain_quota_base: base = row.remain_quota, unlimited_quota } = change
  // An edit cannot take more than remains; only spending makes the quota negative.
  const delta = newRemaining === undefined ? 0 : Math.max(newRemaining - base, -Math.max(row.remain_quota, 0))
  const remain = row.remain_quota + delta
  if (Math.abs(delta) > MAX_QUOTA || remain > MAX_QUOTA)
    throw refuse('invalid', 'input.invalid', { reason: 'remain_quota' })
  const unlimited = unlimited_quota === undefined ? row.unlimited_quota : Number(unlimited_quota)
  return {
    patch: { ...tokenColumns(change, owner, rules, row), ...limitColumns(change) },
    delta,
    after: { remain_quota: remain, unlimited_quota: unlimited },
  }
}

/** Users can only enable and disable; an edit that removes the cause reactivates an expired or exhausted token. */
function nextStatus(
  row: TokenRow,
  { status }: TokenChange,
  next: TokenRow,
  { statusOnly, now }: { statusOnly: boolean; now: number },
): number {
  const isExpired = hasExpired(next.expired_time, now)
  const isEmpty = isExhausted(next.remain_quota, next.unlimited_quota === 1)
  // A full edit repeats the status it loaded, which is not a change.
  const requested = statusOnly || status !== row.status ? status : undefined
  if (requested === undefined) {
    if (statusOnly) throw refuse('invalid', 'param.invalid')
    const hasEnded = row.status === tokenStatus.expired || row.status === tokenStatus.exhausted
    return hasEnded && !isExpired && !isEmpty ? tokenStatus.enabled : row.status
  }
  if (requested !== tokenStatus.enabled && requested !== tokenStatus.disabled) throw refuse('invalid', 'param.invalid')
  if (requested === tokenStatus.enabled && isExpired) throw refuse('invalid', 'token.expired_enable')
  if (requested === tokenStatus.enabled && isEmpty) throw refuse('invalid', 'token.exhausted_enable')
  return requested
}

async function write({ db, ledger }: TokenDeps, row: TokenRow, edit: Edit, patch: TokenPatch): Promise<void> {
  const isUnlimited = edit.after.unlimited_quota
  if (edit.delta === 0 && isUnlimited === row.unlimited_quota) return tokenStore(db).update(row.user_id, row.id, patch)
  await ledger.changeToken({
    tokenId: row.id,
    delta: edit.delta,
    unlimited: isUnlimited === 1,
    together: (transaction) => tokenStore(transaction).update(row.user_id, row.id, patch),
  })
}

/** The encryption context of a token's key, authenticated by the vault. */
export const sealContextOf = (id: number): string => `tokens|${id}|key`

function viewOf(row: TokenRow, vault: Vault, budgetUse: BudgetUse[]): TokenView {
  const { key_hash: _, is_guest: __, deleted_at, ...columns } = row
  return {
    ...limitsShown(columns),
    budget_use: budgetUse,
    key: openedKey(row, vault),
    unlimited_quota: row.unlimited_quota === 1,
    model_limits_enabled: row.model_limits_enabled === 1,
    response_cache: row.response_cache === 1,
    keep_bodies: row.keep_bodies === 1,
    allow_ips: row.allow_ips || null,
    DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
  }
}

/** Returns '' for a key that cannot be decrypted, so that the rest of the list is still shown. */
function openedKey({ id, key }: Pick<TokenRow, 'id' | 'key'>, vault: Vault): string {
  try {
    return vault.open(key, sealContextOf(id))
  } catch (error) {
    if (error instanceof UnreadableSecret) return ''
    throw error
  }
}
