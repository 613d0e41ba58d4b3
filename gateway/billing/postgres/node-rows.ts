import { parsed } from '../../base/json/json.ts'
import { createHourSums, hourRecords } from '../../store/log/usage-hours.ts'
import { type Connections, codeOf, storableText } from '../../store/postgres/connections.ts'
import type { NewLog } from '../../store/schema/schema.ts'
import { outcomesOfCharge, outcomesOfRow } from '../channel-outcomes.ts'
import { chargedRequest, countedAs, failedRequest } from '../counted.ts'
import type { Charge, CommitEntry } from '../ledger.ts'
import type { Membership } from './membership.ts'

/** 0 for an account, 1 for a token. */
export type SliceKind = 0 | 1

/**
 * Requests a slice: `need` is the amount needed at once, `lowest` the least that is of use, `want` the most. If exact,
 * leases `want` even if less is free.
 */
export type LeaseRequest = Readonly<{
  kind: SliceKind
  id: number
  need: number
  lowest: number
  /** A negative amount is given back. */
  want: number
  isExact: boolean
}>

/** `leftOver` is free, `others` leased to other nodes. */
export type Lease = Readonly<{
  kind: SliceKind
  id: number
  granted: number
  leftOver: number
  others: number
  isUnlimited: boolean
}>

type Leased = Readonly<{ kind: SliceKind; id: number; amount: number }>

/** The rows of one node, and the transactions that change them (gateway/store/migrations/initial/slices.ts). */
export interface NodeRows {
  /** Whether it is unknown if the last group was written; true until its next attempt succeeds. */
  readonly isUnsure: boolean
  /**
   * Leases quota; returns no lease for accounts and tokens that do not exist. If the call rejects, call `reconciled`,
   * because the server may have granted the lease.
   */
  lease(requests: readonly LeaseRequest[]): Promise<readonly Lease[]>
  /**
   * Returns the leases of this node, including the effect of every earlier `lease`; one that is still on its way will
   * have no effect.
   */
  reconciled(): Promise<readonly Leased[]>
  /** Returns the leases of this node whose account or token other nodes have needed in the last seconds. */
  wanted(): Promise<readonly Leased[]>
  /**
   * Writes entries once. If a call rejects, the next one must begin with the same entries: some may already be written,
   * since the connection may have been lost before the response.
   */
  commit(entries: readonly CommitEntry[]): Promise<void>
  /** Which of these requests have their charge in the ledger. */
  written(requestIds: readonly string[]): Promise<ReadonlySet<string>>
}

const LEASE = 'select * from lease_slices($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)'
const COMMIT = 'select commit_charges($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) as entries'
const RECONCILE = 'select * from reconcile_leases($1, $2)'
const WANTED = `select l.kind, l.id, l.amount from pool p join leases l on l.kind = p.kind and l.id = p.id
  where p.wanted_at > now() - interval '2 s' and l.node = $1 and l.amount <> 0`
const WRITTEN = `select ref_id from ledger where kind = 'consume' and ref_type = 'request' and ref_id = any($1)`

export function createNodeRows({ named }: Connections, member: Membership): NodeRows {
  const { node } = member
  let { batch, grants } = member.begun
  /** The number of entries at the beginning of the next group that are already written. */
  let written = 0
  let isSent = false
  return {
    get isUnsure() {
      return isSent || written > 0
    },
    async lease(requests) {
      const column = (name: keyof LeaseRequest) => requests.map((request) => request[name])
      const columns = (['kind', 'id', 'need', 'lowest', 'want', 'isExact'] as const).map(column)
      // Everything if this is the only node, else half of an equal share.
      const shares = member.living > 1 ? 2 * member.living : 1
      const values = [node, member.epoch, grants, ...columns, shares]
      const found = await retried(() => named<LeaseRow>('lease', LEASE, values))
      grants += 1
      return found.map((lease) => ({
        kind: lease.slice_kind,
        id: lease.slice_id,
        granted: lease.granted,
        leftOver: lease.left_over,
        others: lease.others,
        isUnlimited: lease.is_unlimited,
      }))
    },
    async reconciled() {
      const rows = await retried(() => named<ReconciledRow>('reconcile', RECONCILE, [node, member.epoch]))
      grants = rows[0]?.next_grant ?? grants
      return rows.flatMap(({ slice_kind: kind, slice_id: id, leased: amount }) =>
        kind === null || id === null || amount === null ? [] : [{ kind, id, amount }],
      )
    },
    wanted: () => named('wanted', WANTED, [node]),
    async commit(entries) {
      while (written < entries.length) {
        const group = entries.slice(written)
        const sequence = group.reduce((highest, entry) => Math.max(highest, entry.sequence), 0)
        const values = [node, member.epoch, batch, group.length, sequence, ...groupOf(group)]
        isSent = true
        const [row] = await retried(() => named<{ entries: number }>('commit', COMMIT, values))
        batch += 1
        written += row?.entries ?? 0
        isSent = false
      }
      written -= entries.length
    },
    async written(requestIds) {
      if (requestIds.length === 0) return new Set()
      return new Set((await named<{ ref_id: string }>('written', WRITTEN, [requestIds])).map(({ ref_id }) => ref_id))
    },
  }
}

/** PostgreSQL's codes for a transaction that was ended in favour of another one, and may be repeated at once. */
const CONFLICTS = ['40001', '40P01']
const MAX_CONFLICTS = 5

async function retried<T>(statement: () => Promise<T>): Promise<T> {
  for (let conflicts = 1; ; conflicts += 1)
    try {
      return await statement()
    } catch (error) {
      if (conflicts === MAX_CONFLICTS || !CONFLICTS.includes(codeOf(error))) throw error
    }
}

/** One lease of the node. A node without leases gets a single row in which only `next_grant` is not null. */
type ReconciledRow = Readonly<{
  next_grant: number
  slice_kind: SliceKind | null
  slice_id: number | null
  leased: number | null
}>

type LeaseRow = Readonly<{
  slice_kind: SliceKind
  slice_id: number
  granted: number
  left_over: number
  others: number
  is_unlimited: boolean
}>

/**
 * The last ten parameters of `commit_charges`. Texts are cleaned first, so that names that differ only in unstorable
 * characters count as one.
 */
function groupOf(received: readonly CommitEntry[]): unknown[] {
  const entries = received.map(storable)
  const hours = createHourSums()
  const logs: NewLog[] = []
  const charged: Readonly<{ entry: CommitEntry; charge: Charge }>[] = []
  for (const entry of entries) {
    const { note, charge, isUncounted } = entry
    if (note) {
      logs.push(note)
      for (const outcome of outcomesOfRow(note)) hours.addOutcome(outcome)
      const failed = isUncounted ? undefined : failedRequest(note)
      if (failed) hours.add(failed)
    }
    if (!charge) continue
    charged.push({ entry, charge })
    if (charge.log) logs.push(charge.log)
    for (const outcome of outcomesOfCharge(charge)) hours.addOutcome(outcome)
    if (!isUncounted) hours.add(chargedRequest(entry, charge))
  }
  const column = (value: (entry: CommitEntry, charge: Charge) => unknown) =>
    charged.map(({ entry, charge }) => value(entry, charge))
  return [
    column(({ userId }) => userId),
    column(({ tokenId }) => tokenId),
    column((_, { channelId }) => channelId),
    column((_, { quota }) => quota),
    column(({ limited }, { quota }) => (limited ? quota : 0)),
    column((_, { at }) => at),
    column(({ requestId }) => requestId),
    column((entry, charge) => (charge.isRefundable && !entry.isUncounted ? countedAs(entry, charge) : '')),
    JSON.stringify(logs.map((log) => ({ ...EMPTY_LOG, ...log }))),
    JSON.stringify(hourRecords(hours)),
  ]
}

/** Returns a copy whose texts can be stored, including those inside JSON texts; the same value if all can be stored. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return storableIn(value) as T & string
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  const cleaned = fields.map(([name, field]) => [name, storable(field)] as const)
  if (cleaned.every(([, field], at) => field === fields[at]?.[1])) return value
  return (Array.isArray(value) ? cleaned.map(([, field]) => field) : Object.fromEntries(cleaned)) as T
}

function storableIn(text: string): string {
  const stored = storableText(text)
  if (!/\\u(?:0000|d[89a-f])/i.test(stored)) return stored
  const json = parsed(stored)
  return typeof json === 'object' && json !== null ? JSON.stringify(storable(json)) : stored
}

/** The columns that a log row may omit. */
const EMPTY_LOG = {
  ...{ content: '', username: '', token_name: '', model_name: '', group: '', ip: '', other: '', request_id: '' },
  ...{ quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time: 0, is_stream: 0, retries: 0 },
  ...{ channel_id: 0, token_id: 0 },
} as const satisfies Partial<NewLog>
