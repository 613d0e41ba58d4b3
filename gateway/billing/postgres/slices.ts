import { setTimeout as sleep } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import type { Balances, TokenBalance, UserBalance } from '../balances.ts'
import type { CommitEntry, HoldRequest } from '../ledger.ts'
import type { Lease, LeaseRequest, NodeRows, SliceKind } from './node-rows.ts'

/** How long a request waits for other nodes to give back what they do not use, and how often it asks. */
const WAIT_MS = 500
const RETRY_MS = 50
/** A slice that was not used for so long goes back. */
const IDLE_MS = 60_000
const [USER, TOKEN] = [0, 1] as const
/** A node's share is limited by the number of nodes only: streams extend their reservation without asking. */
const AS_MUCH_AS_MAY_BE = Number.MAX_SAFE_INTEGER

/** `elsewhere` is the part of the balance that this node does not have, as of the last lease. */
type Slice<T> = { readonly balance: T; usedMs: number; isStale: boolean; elsewhere: number }

type AccountIds = Pick<HoldRequest, 'userId' | 'tokenId'>

/** A node's slices of balances: what it may reserve without asking the database. */
export class Slices implements Balances {
  readonly known: Balances['known']
  readonly #rows: NodeRows
  /** Runs one transaction of the node at a time, so that a lease and a commit never wait for each other. */
  readonly #inTurn: LimitFunction
  readonly #monotonic: () => number
  readonly #users = new Map<number, Slice<UserBalance>>()
  readonly #tokens = new Map<number, Slice<TokenBalance>>()
  readonly #asked = new Map<string, LeaseRequest>()
  #leasing: Promise<void> | undefined

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
    if (token) token.remain += charge?.quota ?? 0
  }

  /** The next reservation asks the database again. */
  forget({ userId = 0, tokenId = 0 }: { userId?: number; tokenId?: number }): void {
    for (const slice of [this.#users.get(userId), this.#tokens.get(tokenId)]) if (slice) slice.isStale = true
  }

  /** Leases what a reservation needs; undefined if the slices have it. */
  ready(request: HoldRequest): Promise<void> | undefined {
    return this.#have(request) ? undefined : this.#lease(request)
  }

  /** Gives back what other nodes want, and what was not used for a minute; call it several times a second. */
  async tick(): Promise<void> {
    await this.#rows.beat()
    const wanted = new Set((await this.#rows.leased(true)).map(({ kind, id }) => `${kind} ${id}`))
    const before = this.#monotonic() - IDLE_MS
    await this.#giveBack((slice, kind, id) => slice.usedMs < before || wanted.has(`${kind} ${id}`))
  }

  /** Gives back everything that is not reserved. */
  close(): Promise<void> {
    return this.#giveBack(() => true)
  }

  #slicesOf({ userId, tokenId }: AccountIds) {
    return { user: this.#users.get(userId), token: tokenId > 0 ? this.#tokens.get(tokenId) : undefined }
  }

  #have(request: HoldRequest): boolean {
    const { user, token } = this.#slicesOf(request)
    if (!user || user.isStale || (request.tokenId > 0 && (!token || token.isStale))) return false
    user.usedMs = this.#monotonic()
    if (token) token.usedMs = user.usedMs
    return freeOfUser(user.balance) >= request.quota && (!token || freeOfToken(token.balance) >= request.quota)
  }

  async #lease(request: HoldRequest): Promise<void> {
    const untilMs = this.#monotonic() + WAIT_MS
    for (;;) {
      const { user, token } = this.#slicesOf(request)
      this.#ask(USER, request.userId, user ? freeOfUser(user.balance) : 0, request)
      if (request.tokenId > 0) this.#ask(TOKEN, request.tokenId, token ? freeOfToken(token.balance) : 0, request)
      await this.#leaseAsked()
      const now = this.#slicesOf(request)
      const isElsewhere = (now.user?.elsewhere ?? 0) > 0 || (now.token?.elsewhere ?? 0) > 0
      if (this.#have(request) || !isElsewhere || this.#monotonic() > untilMs) return
      await sleep(RETRY_MS)
    }
  }

  #ask(kind: SliceKind, id: number, free: number, { quota, minQuota = quota }: HoldRequest): void {
    const name = `${kind} ${id}`
    const known = this.#asked.get(name)
    const need = Math.max(quota - free, 0) + (known?.need ?? 0)
    const lowest = Math.min(Math.max(minQuota - free, 0), known?.lowest ?? Number.MAX_SAFE_INTEGER)
    this.#asked.set(name, { kind, id, need, lowest, want: AS_MUCH_AS_MAY_BE })
  }

  /** Leases everything that is asked for when the node's turn comes. */
  #leaseAsked(): Promise<void> {
    this.#leasing ??= this.#inTurn(async () => {
      this.#leasing = undefined
      const requests = [...this.#asked.values()]
      this.#asked.clear()
      for (const lease of await this.#rows.lease(requests)) this.#take(lease)
    })
    return this.#leasing
  }

  #take({ kind, id, granted, leftOver, elsewhere, isUnlimited }: Lease): void {
    const fresh = { usedMs: this.#monotonic(), isStale: false, elsewhere: leftOver + elsewhere }
    if (kind === USER) {
      const balance = this.user(id) ?? { id, quota: 0, reserved: 0, committed: 0 }
      balance.quota += granted
      this.#users.set(id, { ...fresh, balance })
    } else {
      const balance = this.token(id) ?? { id, remain: 0, reserved: 0, unlimited: false }
      balance.remain += granted
      balance.unlimited = isUnlimited
      this.#tokens.set(id, { ...fresh, balance })
    }
  }

  #giveBack(which: (slice: Slice<unknown>, kind: SliceKind, id: number) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      const back: LeaseRequest[] = []
      const take = (kind: SliceKind, id: number, free: number) => {
        if (free > 0) back.push({ kind, id, need: 0, lowest: 0, want: -free })
        return Math.max(free, 0)
      }
      for (const [id, slice] of this.#users)
        if (which(slice, USER, id)) slice.balance.quota -= take(USER, id, freeOfUser(slice.balance))
      for (const [id, slice] of this.#tokens)
        if (which(slice, TOKEN, id))
          slice.balance.remain -= take(TOKEN, id, slice.balance.remain - slice.balance.reserved)
      if (back.length > 0) await this.#rows.lease(back)
    })
  }
}

const freeOfUser = ({ quota, reserved }: UserBalance): number => quota - reserved
const freeOfToken = ({ remain, reserved, unlimited }: TokenBalance): number =>
  unlimited ? Number.POSITIVE_INFINITY : remain - reserved
