import { setTimeout as sleep } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Balances, TokenBalance, UserBalance } from '../balances.ts'
import type { CommitEntry, HoldRequest } from '../ledger.ts'
import type { Lease, LeaseRequest, NodeRows, SliceKind } from './node-rows.ts'

/** How long a request waits for the unused slices of other nodes, and how often it tries. */
const WAIT_MS = 500
const RETRY_MS = 50
/** A slice that has not been used for this long is given back. */
const IDLE_MS = 60_000
const [USER, TOKEN] = [0, 1] as const
/**
 * A slice that cannot serve this many more requests like the last one is refilled in the background, at most once in
 * `REFILL_MS`.
 */
const REFILL_BELOW = 4
const REFILL_MS = 250
/**
 * The amount that every lease wants: only the number of nodes limits a node's share, since streams extend their
 * reservations without waiting for a lease.
 */
const AS_MUCH_AS_MAY_BE = Number.MAX_SAFE_INTEGER

type Slice<T extends UserBalance | TokenBalance = UserBalance | TokenBalance> = {
  readonly kind: SliceKind
  readonly balance: T
  /** Quota leased from the database: `balance.quota` and the charges that are not written yet. */
  leased: number
  /** Quota that was free in the database, and quota leased to other nodes, after the last lease. */
  leftOver: number
  others: number
  usedMs: number
  refilledMs: number
  isStale: boolean
}

/** The quota that requests waiting for the node's turn need together, and the least that one of them accepts. */
type Waiting = { readonly kind: SliceKind; readonly id: number; quota: number; lowest: number }

type AccountIds = Pick<HoldRequest, 'userId' | 'tokenId'>

/** A node's slices of balances: the quota that it may reserve without the database. */
export class Slices implements Balances {
  readonly known: Balances['known']
  readonly #rows: NodeRows
  /** Runs one transaction of the node at a time, so that a lease and a commit never wait for each other. */
  readonly #inTurn: LimitFunction
  readonly #monotonic: () => number
  readonly #users = new Map<number, Slice<UserBalance>>()
  readonly #tokens = new Map<number, Slice<TokenBalance>>()
  readonly #waiting = new Map<string, Waiting>()
  /** Quota that waiting requests will reserve: it is neither given back nor reserved by others before they do. */
  readonly #awaited = new Map<string, number>()
  #leasing: Promise<void> | undefined
  #ticking: Promise<void> | undefined
  /** Whether the leases of this node must be read again: one may have been granted or not, or was revoked. */
  #isLeaseUnsure = false

  constructor(rows: NodeRows, inTurn: LimitFunction, monotonic: () => number) {
    this.#rows = rows
    this.#inTurn = inTurn
    this.#monotonic = monotonic
    this.known = { user: (id) => this.user(id), token: (id) => this.token(id) }
  }

  user(id: number): UserBalance | undefined {
    return this.#users.get(id)?.balance
  }

  token(id: number): TokenBalance | undefined {
    return this.#tokens.get(id)?.balance
  }

  undo({ userId, tokenId, limited, charge }: Pick<CommitEntry, 'userId' | 'tokenId' | 'limited' | 'charge'>): void {
    const [user, token] = [this.user(userId), limited ? this.token(tokenId) : undefined]
    if (user) user.quota += charge?.quota ?? 0
    if (token) token.quota += charge?.quota ?? 0
  }

  /** The next reservation gives the slice back and leases another one. */
  forget({ userId = 0, tokenId = 0 }: { userId?: number; tokenId?: number }): void {
    for (const slice of [this.#users.get(userId), this.#tokens.get(tokenId)]) if (slice) slice.isStale = true
  }

  forgetAll(): void {
    for (const slice of this.#all()) slice.isStale = true
  }

  /** Calls `reserve` once the slices have what the request needs, or cannot get it. */
  reserving<T>(request: HoldRequest, reserve: () => T): MaybePromise<T> {
    const waiting = this.#awaited.get(nameOf(USER, request.userId)) ?? 0
    return this.#have(request, waiting) ? reserve() : this.#lease(request, reserve)
  }

  /** Leases more in the background if little is left, so that streams can extend their reservations without waiting. */
  refill(request: AccountIds & Readonly<{ quota: number }>): void {
    const { user, token } = this.#slicesOf(request)
    const nowMs = this.#monotonic()
    for (const slice of [user, token]) {
      const quota = request.quota * REFILL_BELOW
      if (!slice || slice.isStale || slice.balance.elsewhere <= 0 || isEnough(slice, quota)) continue
      if (nowMs - slice.refilledMs < REFILL_MS) continue
      slice.refilledMs = nowMs
      this.#request(slice.kind, slice.balance.id, { quota, minQuota: 0 })
      this.#leaseWaiting().catch(() => {})
    }
  }

  /** Writes a group of charges, in the node's turn. */
  commit(entries: readonly CommitEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#rows.commit(entries)
      for (const { userId, tokenId, limited, charge } of entries)
        for (const slice of [this.#users.get(userId), limited ? this.#tokens.get(tokenId) : undefined])
          if (slice && charge) slice.leased -= charge.quota
    })
  }

  /**
   * Gives back slices that other nodes want, or that had no reservation for a minute; while the node drains, all that
   * is not reserved. Call it several times a second.
   */
  tick(isDraining = false): Promise<void> {
    this.#ticking ??= this.#tick(isDraining).finally(() => {
      this.#ticking = undefined
    })
    return this.#ticking
  }

  /** Call it after the node was fenced and so lost its leases. */
  reset(): void {
    this.#isLeaseUnsure = true
    this.forgetAll()
  }

  /** Gives back everything that is not reserved. */
  close(): Promise<void> {
    return this.#giveBack(() => true)
  }

  async #tick(isDraining: boolean): Promise<void> {
    const nowMs = this.#monotonic()
    const wanted = new Set((await this.#rows.wanted()).map(({ kind, id }) => nameOf(kind, id)))
    const isIdle = ({ usedMs, balance }: Slice) => balance.holds === 0 && nowMs - usedMs >= IDLE_MS
    await this.#giveBack((slice) => isDraining || isIdle(slice) || wanted.has(nameOf(slice.kind, slice.balance.id)))
    for (const slice of this.#all())
      if (isIdle(slice) && slice.leased === 0 && slice.balance.quota === 0) this.#delete(slice.kind, slice.balance.id)
  }

  *#all(): Iterable<Slice> {
    yield* this.#users.values()
    yield* this.#tokens.values()
  }

  #slicesOf({ userId, tokenId }: AccountIds) {
    return { user: this.#users.get(userId), token: tokenId > 0 ? this.#tokens.get(tokenId) : undefined }
  }

  /** Whether the slices have what a request needs, in addition to `waiting`, the quota that other requests wait for. */
  #have(request: HoldRequest, waiting = 0): boolean {
    const { user, token } = this.#slicesOf(request)
    if (!user || user.isStale || (request.tokenId > 0 && (!token || token.isStale))) return false
    user.usedMs = this.#monotonic()
    if (token) token.usedMs = user.usedMs
    const quota = request.quota + waiting
    return isEnough(user, quota) && (!token || isEnough(token, quota))
  }

  async #lease<T>(request: HoldRequest, reserve: () => T): Promise<T> {
    const untilMs = this.#monotonic() + WAIT_MS
    for (let isInPool = false; ; ) {
      if (!(await this.#inTurn(() => this.#isReconciled()))) throw new Error('the leases of this node are unknown')
      const { user, token } = this.#slicesOf(request)
      if (user?.isStale || token?.isStale) await this.#giveBack((slice) => slice === user || slice === token)
      this.#await(request, request.quota)
      try {
        this.#request(USER, request.userId, request)
        if (request.tokenId > 0) this.#request(TOKEN, request.tokenId, request)
        await this.#leaseWaiting()
        const now = this.#slicesOf(request)
        const slices = [now.user, request.tokenId > 0 ? now.token : now.user].filter((slice) => slice !== undefined)
        const { quota, minQuota = quota } = request
        // If the token or the account has less, that is reserved, provided that it is at least `minQuota`.
        const possible = Math.min(quota, ...slices.map(possibleIn))
        const isHopeless = slices.length < 2 || possible < minQuota
        if (this.#have({ ...request, quota: possible }) || isHopeless || this.#monotonic() > untilMs) return reserve()
        isInPool = slices.every((slice) => freeFor(slice) >= possible)
      } finally {
        this.#await(request, -request.quota)
      }
      if (!isInPool) await sleep(RETRY_MS)
    }
  }

  #await({ userId, tokenId }: AccountIds, quota: number): void {
    for (const name of [nameOf(USER, userId), nameOf(TOKEN, tokenId)]) {
      const awaited = (this.#awaited.get(name) ?? 0) + quota
      if (awaited > 0) this.#awaited.set(name, awaited)
      else this.#awaited.delete(name)
    }
  }

  #request(kind: SliceKind, id: number, { quota, minQuota = quota }: Pick<HoldRequest, 'quota' | 'minQuota'>): void {
    const name = nameOf(kind, id)
    const waiting = this.#waiting.get(name) ?? { kind, id, quota: 0, lowest: minQuota }
    waiting.quota += quota
    waiting.lowest = Math.min(waiting.lowest, minQuota)
    this.#waiting.set(name, waiting)
  }

  /** Leases for all waiting requests when the node's turn comes. */
  #leaseWaiting(): Promise<void> {
    this.#leasing ??= this.#inTurn(async () => {
      this.#leasing = undefined
      const requests = [...this.#waiting.values()].map((waiting) => this.#requestOf(waiting))
      this.#waiting.clear()
      const leases = new Map((await this.#leased(requests)).map((lease) => [nameOf(lease.kind, lease.id), lease]))
      for (const { kind, id } of requests) {
        const lease = leases.get(nameOf(kind, id))
        if (lease) this.#take(lease)
        else this.#delete(kind, id)
      }
    })
    return this.#leasing
  }

  #requestOf({ kind, id, quota, lowest }: Waiting): LeaseRequest {
    const slice = kind === USER ? this.#users.get(id) : this.#tokens.get(id)
    const free = slice ? freeOf(slice) : 0
    const missing = (wanted: number) => Math.max(wanted - free, 0)
    return { kind, id, need: missing(quota), lowest: missing(lowest), want: AS_MUCH_AS_MAY_BE, isExact: false }
  }

  async #leased(requests: readonly LeaseRequest[]): Promise<readonly Lease[]> {
    try {
      return await this.#rows.lease(requests)
    } catch (error) {
      this.#isLeaseUnsure = true
      throw error
    }
  }

  #take({ kind, id, granted, leftOver, others, isUnlimited }: Lease): void {
    const slice = this.#sliceOf(kind, id)
    const { balance } = slice
    balance.quota += granted
    balance.elsewhere = leftOver + others
    if ('unlimited' in balance) balance.unlimited = isUnlimited
    slice.leased += granted
    slice.leftOver = leftOver
    slice.others = others
    slice.usedMs = this.#monotonic()
    slice.isStale = false
  }

  #sliceOf(kind: SliceKind, id: number): Slice {
    const known = kind === USER ? this.#users.get(id) : this.#tokens.get(id)
    if (known) return known
    const empty = { kind, leased: 0, leftOver: 0, others: 0, usedMs: this.#monotonic(), refilledMs: 0, isStale: true }
    const balance = { id, quota: 0, reserved: 0, holds: 0, elsewhere: 0 }
    const user = { ...empty, balance: { ...balance, committed: 0 } }
    const token = { ...empty, balance: { ...balance, unlimited: false } }
    if (kind === USER) this.#users.set(id, user)
    else this.#tokens.set(id, token)
    return kind === USER ? user : token
  }

  #delete(kind: SliceKind, id: number): void {
    if (kind === USER) this.#users.delete(id)
    else this.#tokens.delete(id)
  }

  /**
   * Gives back the free part of the slices that `which` selects, and leases the missing quota of slices whose charges
   * exceeded them.
   */
  #giveBack(which: (slice: Slice) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (!(await this.#isReconciled())) return
      const changes: LeaseRequest[] = []
      for (const slice of this.#all()) {
        const { kind, balance } = slice
        const awaited = this.#awaited.get(nameOf(kind, balance.id)) ?? 0
        const back = which(slice) ? Math.max(freeOf(slice) - awaited, 0) : 0
        const want = balance.quota < 0 ? -balance.quota : -back
        if (want === 0) continue
        change(slice, want)
        changes.push({ kind, id: balance.id, need: 0, lowest: 0, want, isExact: true })
      }
      if (changes.length > 0) await this.#leased(changes)
    })
  }

  /** Whether the leases of this node are known; reads them if not, unless the outcome of a commit is unknown. */
  async #isReconciled(): Promise<boolean> {
    if (!this.#isLeaseUnsure) return true
    if (this.#rows.isUnsure) return false
    const amounts = new Map(
      (await this.#rows.reconciled()).map((lease) => [nameOf(lease.kind, lease.id), lease] as const),
    )
    for (const { kind, id } of amounts.values()) this.#sliceOf(kind, id)
    for (const slice of this.#all()) {
      const amount = amounts.get(nameOf(slice.kind, slice.balance.id))?.amount ?? 0
      change(slice, amount - slice.leased)
    }
    this.#isLeaseUnsure = false
    return true
  }
}

function change(slice: Slice, quota: number): void {
  slice.balance.quota += quota
  slice.balance.elsewhere -= quota
  slice.leased += quota
}

const nameOf = (kind: SliceKind, id: number): string => `${kind} ${id}`
const freeOf = ({ balance }: Slice): number => balance.quota - balance.reserved

const isEnough = (slice: Slice, quota: number): boolean => isUnlimited(slice) || freeOf(slice) >= quota

const isUnlimited = ({ balance }: Slice): boolean => 'unlimited' in balance && balance.unlimited

/** The free quota of the node and of the pool; Infinity without a limit. */
const freeFor = (slice: Slice): number => (isUnlimited(slice) ? Infinity : slice.leftOver + freeOf(slice))

/** The result of `freeFor`, plus the quota that other nodes may give back. */
const possibleIn = (slice: Slice): number => freeFor(slice) + slice.others
