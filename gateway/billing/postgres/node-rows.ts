import { createHourSums, hourRecords } from '../../store/log/usage-hours.ts'
import { type Connections, storableText } from '../../store/postgres/connections.ts'
import type { NewLog } from '../../store/schema/schema.ts'
import { CannotStart, EXIT } from '../../store/sqlite/database.ts'
import { outcomesOfCharge, outcomesOfRow } from '../channel-outcomes.ts'
import { chargedRequest, countedAs, failedRequest } from '../counted.ts'
import type { Charge, CommitEntry } from '../ledger.ts'

/** 0 for an account, 1 for a token with a limit. */
export type SliceKind = 0 | 1

/** Requests a slice: `need` at once, at least `lowest`, and up to `want`; if exact, for `want` even if less is free. */
export type LeaseRequest = Readonly<{
  kind: SliceKind
  id: number
  need: number
  lowest: number
  /** Negative gives back. */
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

/** The rows of one node, and the transactions that change them (gateway/store/migrations/slices.ts). */
export interface NodeRows {
  /** The highest sequence number of the node's journal that is in the database. */
  readonly sequence: number
  /** Accounts and tokens that do not exist have no lease. */
  lease(requests: readonly LeaseRequest[]): Promise<readonly Lease[]>
  /** Shows that this node lives, and counts the others that do. */
  beat(): Promise<void>
  /** Shows that this node has ended. */
  leave(): Promise<void>
  /** The leases of this node; `wanted` only those that other nodes have needed in the last seconds. */
  leased(wanted: boolean): Promise<readonly Leased[]>
  /** Writes a group once: writing it again after a lost connection does nothing. */
  commit(entries: readonly CommitEntry[]): Promise<void>
  /** Which of these requests have their charge in the ledger. */
  written(requestIds: readonly string[]): Promise<ReadonlySet<string>>
}

const LEASE = 'select * from lease_slices($1, $2, $3, $4, $5, $6, $7, $8, $9)'
const COMMIT = 'select commit_charges($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) as is_written'
const BEGIN = `insert into nodes (id, epoch, batch, sequence, seen_at) values ($1, 1, 0, 0, now())
  on conflict (id) do update set epoch = nodes.epoch + 1, seen_at = now() returning epoch, batch, sequence`
const OTHERS = `select id from nodes where id <> $1 and seen_at > now() - interval '10 s'`
/** Nodes that were silent: should one of them only have been paused, it can neither lease nor commit. */
const FENCE = 'update nodes set epoch = epoch + 1 where id <> $1'
const FREE = `with freed as (delete from leases where node <> $1 returning kind, id, amount),
  sums as (select kind, id, sum(amount) as amount from freed group by kind, id)
  update pool p set free = p.free + s.amount from sums s where p.kind = s.kind and p.id = s.id`
const BEAT = `with own as (update nodes set seen_at = clock_timestamp() where id = $1 and epoch = $2 returning id)
  select (select count(*) from own) + (select count(*) from nodes where id <> $1 and seen_at > now() - interval '10 s') as nodes`
const LEAVE = `update nodes set seen_at = '-infinity' where id = $1 and epoch = $2`
const LEASED = 'select kind, id, amount from leases where node = $1 and amount <> 0'
const WANTED = `select l.kind, l.id, l.amount from pool p join leases l on l.kind = p.kind and l.id = p.id
  where p.wanted_at > now() - interval '2 s' and l.node = $1 and l.amount <> 0`
const WRITTEN = `select ref_id from ledger where kind = 'consume' and ref_type = 'request' and ref_id = any($1)`

/** Opens the rows of a node. Throws `CannotStart` if another node uses the database. */
export async function openNodeRows(connections: Connections, node: string): Promise<NodeRows> {
  const { named } = connections
  const { epoch, sequence, ...begun } = await beginEpoch(connections, node)
  let { batch } = begun
  /** A node leases at most one of so many parts of the free quota; everything if it is the only one. */
  let shares = 1
  return {
    sequence,
    async lease(requests) {
      const column = (name: keyof LeaseRequest) => requests.map((request) => request[name])
      const values = [
        node,
        epoch,
        column('kind'),
        column('id'),
        column('need'),
        column('lowest'),
        column('want'),
        column('isExact'),
        shares,
      ]
      const found = await named<LeaseRow>('lease', LEASE, values)
      return found.map((lease) => ({
        kind: lease.slice_kind,
        id: lease.slice_id,
        granted: lease.granted,
        leftOver: lease.left_over,
        others: lease.others,
        isUnlimited: lease.is_unlimited,
      }))
    },
    async beat() {
      const [living] = await named<{ nodes: number }>('beat', BEAT, [node, epoch])
      shares = living && living.nodes > 1 ? 2 * living.nodes : 1
    },
    async leave() {
      await named('leave', LEAVE, [node, epoch])
    },
    leased: (wanted) => (wanted ? named('wanted', WANTED, [node]) : named('leased', LEASED, [node])),
    async commit(entries) {
      const sequence = entries.reduce((highest, entry) => Math.max(highest, entry.sequence), 0)
      await named('commit', COMMIT, [node, epoch, batch, sequence, ...groupOf(entries)])
      batch += 1
    },
    async written(requestIds) {
      if (requestIds.length === 0) return new Set()
      return new Set((await named<{ ref_id: string }>('written', WRITTEN, [requestIds])).map(({ ref_id }) => ref_id))
    },
  }
}

type NodeRow = Readonly<{ epoch: number; batch: number; sequence: number }>

/** Begins a new epoch of the node, so that an older process of it can neither lease nor commit; frees the leases of others. */
async function beginEpoch(connections: Connections, node: string): Promise<NodeRow> {
  const client = await connections.connect()
  try {
    await client.query('begin', [])
    await client.query('lock table nodes in exclusive mode', [])
    const others = await client.query<{ id: string }>(OTHERS, [node])
    const [other] = others.rows
    if (other)
      throw new CannotStart(
        EXIT.secondInstance,
        `the gateway of node ${other.id} uses the database of DATABASE_URL; one gateway at a time can`,
      )
    for (const statement of [FENCE, FREE]) await client.query(statement, [node])
    const { rows } = await client.query<NodeRow>(BEGIN, [node])
    await client.query('commit', [])
    const [row] = rows
    if (!row) throw new Error('the row of this node was not returned')
    return row
  } catch (error) {
    await client.query('rollback', []).catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

type LeaseRow = Readonly<{
  slice_kind: SliceKind
  slice_id: number
  granted: number
  left_over: number
  others: number
  is_unlimited: boolean
}>

/** The last ten parameters of `commit_charges`. */
function groupOf(entries: readonly CommitEntry[]): unknown[] {
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
    JSON.stringify(
      logs.map((log) => ({ ...EMPTY_LOG, ...log })),
      storableValue,
    ),
    JSON.stringify(hourRecords(hours), storableValue),
  ]
}

const storableValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value)

/** The columns that a log row may omit. */
const EMPTY_LOG = {
  ...{ content: '', username: '', token_name: '', model_name: '', group: '', ip: '', other: '', request_id: '' },
  ...{ quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time: 0, is_stream: 0, retries: 0 },
  ...{ channel_id: 0, token_id: 0 },
} as const satisfies Partial<NewLog>
