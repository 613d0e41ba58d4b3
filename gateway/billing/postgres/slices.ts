import { setTimeout as sleep } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import type { Balances, TokenBalance, UserBalance } from '../balances.ts'
import type { HoldRequest } from '../ledger.ts'
import type { Lease, LeaseRequest, NodeRows, SliceKind } from './node-rows.ts'

/** A node's slices of balances: what it may reserve without asking the database. */
export interface Slices extends Balances {
  /** Leases what a reservation needs; undefined if the slices have it. */
  ready(request: HoldRequest): Promise<void> | undefined
  /** Gives back what other nodes want, and what was not used for a minute. */
  tick(): Promise<void>
  /** Gives back what is not reserved. */
  close(): Promise<void>
}

/** How long a request waits for other nodes to give back what they do not use, and how often it asks. */
const WAIT_MS = 500
const RETRY_MS = 50
const IDLE_MS = 60_000
const [USER, TOKEN] = [0, 1] as const
/** A node's share is limited by the number of nodes only: streams extend their reservation without asking. */
const AS_MUCH_AS_MAY_BE = Number.MAX_SAFE_INTEGER

/** `elsewhere` is the part of the balance that this node does not have, as of the last lease. */
type Slice<T> = { readonly balance: T; usedMs: number; isStale: boolean; elsewhere: number }

/** `inTurn` runs one transaction of the node at a time, so that a lease and a commit never wait for each other. */
export function createSlices(rows: NodeRows, inTurn: LimitFunction, monotonic: () => number): Slices {
  const users = new Map<number, Slice<UserBalance>>()
  const tokens = new Map<number, Slice<TokenBalance>>()
  const asked = new Map<string, LeaseRequest>()
  let leasing: Promise<void> | undefined

  const slicesOf = ({ userId, tokenId }: Pick<HoldRequest, 'userId' | 'tokenId'>) => ({
    user: users.get(userId),
    token: tokenId > 0 ? tokens.get(tokenId) : undefined,
  })
  /** Whether the slices have this much. */
  const have = (request: HoldRequest, quota: number): boolean => {
    const { user, token } = slicesOf(request)
    if (!user || user.isStale || (request.tokenId > 0 && (!token || token.isStale))) return false
    user.usedMs = monotonic()
    if (token) token.usedMs = user.usedMs
    return freeOfUser(user.balance) >= quota && (!token || freeOfToken(token.balance) >= quota)
  }
  const ask = (kind: SliceKind, id: number, free: number, { quota, minQuota = quota }: HoldRequest) => {
    const name = `${kind} ${id}`
    const known = asked.get(name)
    const need = Math.max(quota - free, 0) + (known?.need ?? 0)
    const lowest = Math.min(Math.max(minQuota - free, 0), known?.lowest ?? Number.MAX_SAFE_INTEGER)
    asked.set(name, { kind, id, need, lowest, want: AS_MUCH_AS_MAY_BE })
  }
  const take = ({ kind, id, granted, leftOver, elsewhere, isUnlimited }: Lease) => {
    const fresh = { usedMs: monotonic(), isStale: false, elsewhere: leftOver + elsewhere }
    if (kind === USER) {
      const balance = users.get(id)?.balance ?? { id, quota: 0, reserved: 0, committed: 0 }
      balance.quota += granted
      users.set(id, { ...fresh, balance })
    } else {
      const balance = tokens.get(id)?.balance ?? { id, remain: 0, reserved: 0, unlimited: false }
      balance.remain += granted
      balance.unlimited = isUnlimited
      tokens.set(id, { ...fresh, balance })
    }
  }
  const leaseAsked = (): Promise<void> => {
    leasing ??= inTurn(async () => {
      leasing = undefined
      const requests = [...asked.values()]
      asked.clear()
      for (const lease of await rows.lease(requests)) take(lease)
    })
    return leasing
  }
  const lease = async (request: HoldRequest): Promise<void> => {
    const untilMs = monotonic() + WAIT_MS
    for (;;) {
      const { user, token } = slicesOf(request)
      ask(USER, request.userId, user ? freeOfUser(user.balance) : 0, request)
      if (request.tokenId > 0) ask(TOKEN, request.tokenId, token ? freeOfToken(token.balance) : 0, request)
      await leaseAsked()
      if (have(request, request.quota)) return
      const now = slicesOf(request)
      const isElsewhere = (now.user?.elsewhere ?? 0) > 0 || (now.token?.elsewhere ?? 0) > 0
      if (!isElsewhere || monotonic() > untilMs) return
      await sleep(RETRY_MS)
    }
  }
  /** Gives back what is free of these slices, a deficit included. */
  const giveBack = (which: (slice: Slice<unknown>, kind: SliceKind, id: number) => boolean) =>
    inTurn(async () => {
      const back: LeaseRequest[] = []
      const add = (kind: SliceKind, id: number, free: number) => {
        if (free > 0 && free < Number.POSITIVE_INFINITY) back.push({ kind, id, need: 0, lowest: 0, want: -free })
      }
      for (const [id, slice] of users) if (which(slice, USER, id)) add(USER, id, freeOfUser(slice.balance))
      for (const [id, slice] of tokens)
        if (which(slice, TOKEN, id)) add(TOKEN, id, slice.balance.remain - slice.balance.reserved)
      for (const { kind, id, want } of back) {
        const [user, token] = kind === USER ? [users.get(id), undefined] : [undefined, tokens.get(id)]
        if (user) user.balance.quota += want
        if (token) token.balance.remain += want
      }
      if (back.length > 0) await rows.lease(back)
    })
  return {
    ready: (request) => (have(request, request.quota) ? undefined : lease(request)),
    user: (id) => users.get(id)?.balance,
    token: (id) => tokens.get(id)?.balance,
    known: { user: (id) => users.get(id)?.balance, token: (id) => tokens.get(id)?.balance },
    undo({ userId, tokenId, limited, charge }) {
      const [user, token] = [users.get(userId)?.balance, limited ? tokens.get(tokenId)?.balance : undefined]
      if (user) user.quota += charge?.quota ?? 0
      if (token) token.remain += charge?.quota ?? 0
    },
    forget({ userId, tokenId }) {
      const [user, token] = [users.get(userId ?? 0), tokens.get(tokenId ?? 0)]
      if (user) user.isStale = true
      if (token) token.isStale = true
    },
    async tick() {
      await rows.beat()
      const wanted = new Set((await rows.leased(true)).map(({ kind, id }) => `${kind} ${id}`))
      const before = monotonic() - IDLE_MS
      await giveBack((slice, kind, id) => slice.usedMs < before || wanted.has(`${kind} ${id}`))
    },
    close: () => giveBack(() => true),
  }
}

const freeOfUser = ({ quota, reserved }: UserBalance): number => quota - reserved
const freeOfToken = ({ remain, reserved, unlimited }: TokenBalance): number =>
  unlimited ? Number.POSITIVE_INFINITY : remain - reserved
