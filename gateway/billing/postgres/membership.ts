import { hostname } from 'node:os'
import type { Connections } from '../../store/postgres/connections.ts'
import type { FenceResult, NodeAlarm, NodeFigures, NodeState } from '../nodes.ts'

/** The row of a node in the table of nodes (docs/growth.md#nodes). */
export interface Membership {
  readonly node: string
  readonly epoch: number
  /**
   * As of the start: the number of this node's commits and of its leases, and the highest sequence number of its
   * journal that is in the database.
   */
  readonly begun: Readonly<{ batch: number; grants: number; sequence: number }>
  /** The number of nodes that are alive, including this one. */
  readonly living: number
  /** As of the last beat. */
  readonly isDraining: boolean
  /**
   * Signals that this node is alive, and counts the others. Returns false if it is fenced, or if another process has
   * its name.
   */
  beat(figures: NodeFigures): Promise<boolean>
  /** Begins another epoch after the node was fenced; false if another process has its name. */
  rejoin(): Promise<boolean>
  leave(): Promise<void>
  /** Returns the nodes that have been silent for longer than `seconds` and are not fenced. */
  lost(seconds: number): Promise<readonly string[]>
  /** Fences a node if it is still silent; returns whether it did. */
  fence(name: string, seconds: number): Promise<boolean>
}

const BEGIN = `insert into nodes (id, version, host, epoch, batch, entries, sequence, grants) values ($1, $2, $3, 1, 0, 0, 0, 0)
  on conflict (id) do update set version = excluded.version, host = excluded.host, epoch = nodes.epoch + 1, fenced_at = null
  returning epoch, batch, grants, sequence`
/**
 * If the node is still fenced and its epoch is exactly the next one, only the fence has raised it: a process that
 * begins another epoch ends the fence.
 */
const REJOIN = `update nodes set epoch = epoch + 1, fenced_at = null
  where id = $1 and epoch = $2 + 1 and fenced_at is not null returning epoch`
const SEEN = `insert into node_beats (node, seen_at) values ($1, clock_timestamp())
  on conflict (node) do update set seen_at = excluded.seen_at, draining = false, alarmed = false`
/** Charges are normally written within 50 ms; if some have waited this long, they cannot be written. */
const LATE_SECONDS = 10
const OWN_EPOCH = 'exists (select 1 from nodes where id = $1 and epoch = $2)'
const BEAT = `with own as (
    update node_beats set seen_at = clock_timestamp(), uncommitted = $3, uncommitted_s = $4, redis = $5,
      alarmed = alarmed and $4 >= ${LATE_SECONDS}
    where node = $1 and ${OWN_EPOCH} returning draining)
  select (select count(*) from own) as own, (select draining from own) as draining, (select count(*) from nodes join node_beats on node = id
    where id <> $1 and fenced_at is null and seen_at > clock_timestamp() - interval '10 s') as others`
const LEAVE = `update node_beats set seen_at = '-infinity' where node = $1 and ${OWN_EPOCH}`
/** Deletes the leases of accounts and tokens that were removed meanwhile. */
const FORGET = `delete from leases l where node = $1 and not exists (
  select 1 from pool p where p.kind = l.kind and p.id = l.id)`
const LOST = `select id from nodes join node_beats on node = id where fenced_at is null and isfinite(seen_at)
  and seen_at < clock_timestamp() - make_interval(secs => $1)`
const ALARMS = `update node_beats b set alarmed = true from nodes n
  where n.id = b.node and n.fenced_at is null and isfinite(b.seen_at) and not b.alarmed
    and (b.seen_at < clock_timestamp() - make_interval(secs => $1) or b.uncommitted_s >= ${LATE_SECONDS})
  returning b.node, b.uncommitted, b.uncommitted_s as "uncommittedSeconds",
    extract(epoch from clock_timestamp() - b.seen_at)::bigint as "silentSeconds"`
const DRAIN = 'update node_beats set draining = $2 where node = $1 returning node'
const FENCE = 'select fence_node($1, make_interval(secs => $2)) as result'
const LIST = `select n.id, n.version, n.host, case when isfinite(b.seen_at) then extract(epoch from b.seen_at)::bigint else 0 end as "seenAt",
    case when isfinite(b.seen_at) then extract(epoch from clock_timestamp() - b.seen_at)::bigint else 0 end as "silentSeconds",
    extract(epoch from n.fenced_at)::bigint as "fencedAt",
    coalesce((select sum(amount) from leases l where l.node = n.id and l.kind = 0), 0)::bigint as leased,
    b.uncommitted, b.uncommitted_s as "uncommittedSeconds", b.redis,
    b.draining as "isDraining"
  from nodes n join node_beats b on b.node = n.id order by n.id`

/**
 * A node that the database has not heard from for this long admits no request (`MAX_SILENCE_MS` in heartbeat.ts), so
 * others can spend its slices.
 */
export const FENCE_SECONDS = 35

type BeatRow = Readonly<{ own: number; others: number; draining: boolean | null }>

/** Begins an epoch of a node: an older process with its name can no longer lease or commit. */
export async function joinNodes({ named }: Connections, node: string, version: string): Promise<Membership> {
  const [row] = await named<Membership['begun'] & Readonly<{ epoch: number }>>('begin', BEGIN, [
    node,
    version,
    hostname(),
  ])
  if (!row) throw new Error('the row of this node was not returned')
  await named('seen', SEEN, [node])
  let { epoch } = row
  let living = 1
  let isDraining = false
  return {
    node,
    begun: row,
    get epoch() {
      return epoch
    },
    get living() {
      return living
    },
    get isDraining() {
      return isDraining
    },
    async beat({ uncommitted, uncommittedSeconds, redis }) {
      const values = [node, epoch, uncommitted, uncommittedSeconds, redis]
      const [counts] = await named<BeatRow>('beat', BEAT, values)
      living = 1 + (counts?.others ?? 0)
      isDraining = counts?.draining ?? false
      return counts?.own === 1
    },
    async rejoin() {
      const [again] = await named<{ epoch: number }>('rejoin', REJOIN, [node, epoch])
      if (again) {
        epoch = again.epoch
        await named('seen', SEEN, [node])
      }
      return again !== undefined
    },
    async leave() {
      await named('forget', FORGET, [node])
      await named('leave', LEAVE, [node, epoch])
    },
    lost: async (seconds) => (await named<{ id: string }>('lost', LOST, [seconds])).map(({ id }) => id),
    fence: async (name, seconds) => (await fenceNode({ named }, name, seconds)) === 'fenced',
  }
}

/**
 * Revokes the slices of a node, unless the database has heard from it within `silentSeconds`. The charges in its
 * journal are still written once it starts again.
 */
export async function fenceNode(
  { named }: Pick<Connections, 'named'>,
  node: string,
  silentSeconds: number,
): Promise<FenceResult> {
  const [row] = await named<{ result: FenceResult }>('fence', FENCE, [node, silentSeconds])
  return row?.result ?? 'missing'
}

export const listNodes = ({ named }: Pick<Connections, 'named'>): Promise<NodeState[]> =>
  named<NodeState>('nodes', LIST, [])

type AlarmRow = Readonly<{ node: string }> & Pick<NodeState, 'uncommitted' | 'uncommittedSeconds' | 'silentSeconds'>

export async function raiseAlarms({ named }: Pick<Connections, 'named'>): Promise<NodeAlarm[]> {
  const rows = await named<AlarmRow>('alarms', ALARMS, [FENCE_SECONDS])
  return rows.map(({ node, uncommitted, uncommittedSeconds, silentSeconds }) =>
    silentSeconds >= FENCE_SECONDS
      ? { node, state: 'silent', seconds: silentSeconds, uncommitted }
      : { node, state: 'late', seconds: uncommittedSeconds, uncommitted },
  )
}

/** Returns false for an unknown node. */
export const drainNode = async (
  { named }: Pick<Connections, 'named'>,
  node: string,
  isDraining: boolean,
): Promise<boolean> => (await named('drain', DRAIN, [node, isDraining])).length > 0
