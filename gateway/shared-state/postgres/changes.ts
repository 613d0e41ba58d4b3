import type { Logger } from '../../base/log/logger.ts'
import type { Connections } from '../../store/postgres/connections.ts'
import type { ChangedNames, Changes, Follower, Topic } from '../changes.ts'

type PolledChanges = Changes &
  Readonly<{
    /** Reads the changes, and passes them on without waiting for the followers. */
    poll(): Promise<void>
    stop(): Promise<void>
  }>

type PolledChangesDeps = Readonly<{
  run: Connections['run']
  log: Pick<Logger, 'warn'>
  /** Identifies the node among those of the database. */
  node: string
  everyMs?: number
}>

const POLL_MS = 250
/** Seconds between two removals of old rows. */
const CLEANUP_SECONDS = 60
/**
 * If two polls are further apart than this many seconds, changes may have been removed between them: a removal retains
 * at least the rows that were committed since the previous removal.
 */
const MAX_GAP_SECONDS = 50
/** More names of a topic than this are handed over as `all`. */
const MAX_NAMES = 10_000

/** Topics that no trigger records, since they have no rows; nodes publish them. */
const published: ReadonlySet<Topic> = new Set<Topic>(['answers', 'cooldowns', 'endings'])

/**
 * Reads the table `changes` several times a second; begins with the current state, so that caches filled afterwards
 * miss no change. Each poll selects the rows of the transactions that the previous poll could not see: neither ids nor
 * order matter, and a long transaction does not delay others.
 */
export async function openPolledChanges({
  run,
  log,
  node,
  everyMs = POLL_MS,
}: PolledChangesDeps): Promise<PolledChanges> {
  const hand = createHandingOver(log)
  let last = await readPoll(run, undefined, node)
  let removed = { at: last.at, horizon: last.horizon }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let hasFailed = false
  const removeOld = async () => {
    if (last.at - removed.at < CLEANUP_SECONDS && last.at >= removed.at) return
    const { horizon } = removed
    removed = { at: last.at, horizon: last.horizon }
    await run(REMOVE_OLD, [horizon])
  }
  const poll = async () => {
    const next = await readPoll(run, last.snapshot, node)
    if (isUnknown(last, next)) hand.addAll()
    else for (const [topic, name] of next.rows) hand.add(topic, name)
    last = next
    hand.over()
    await removeOld()
  }
  const turn = async () => {
    try {
      await poll()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn('changes of other nodes could not be read', { error })
      hasFailed = true
    }
  }
  let turning: Promise<void> | undefined
  const wait = () => {
    timer = setTimeout(() => {
      turning = turn().then(() => {
        if (!isStopped) wait()
      })
    }, everyMs).unref()
  }
  wait()
  return {
    async publish(topic, names) {
      if (published.has(topic)) await run(PUBLISH, [topic, names === 'all' ? [ALL] : names, node])
    },
    follow: hand.follow,
    poll,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turning
      await hand.end()
    },
  }
}

const ALL = 'all'

const PUBLISH = 'insert into changes (topic, name, node) select $1, name, $3 from unnest($2::text[]) as n(name)'

/** Rows of another cluster, after a restore, seem to come from the future. */
const REMOVE_OLD = `delete from changes where (xid < $1::xid8 and at < clock_timestamp() - interval '10 minutes')
  or xid >= pg_snapshot_xmax(pg_current_snapshot())`

const POLL = `select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
  pg_postmaster_start_time()::text as server, extract(epoch from clock_timestamp())::float8 as at,
  (select json_agg(distinct jsonb_build_array(topic, name)) from changes
    where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
      and pg_visible_in_snapshot(xid, pg_current_snapshot()) and node <> $2) as rows`

/** `at` is the database's clock, in unix seconds. */
type Poll = Readonly<{
  snapshot: string
  horizon: string
  server: string
  at: number
  rows: readonly (readonly [Topic, string])[]
}>

async function readPoll(run: Connections['run'], after: string | undefined, node: string): Promise<Poll> {
  const [row] = await run<Poll & { rows: Poll['rows'] | null }>(POLL, [after ?? null, node])
  if (!row) throw new Error('the database returned no snapshot')
  return { ...row, rows: row.rows ?? [] }
}

/**
 * Whether changes may be missing: they were removed meanwhile, or the server is another one, which may lack the last
 * transactions.
 */
const isUnknown = (last: Poll, next: Poll): boolean =>
  next.server !== last.server || next.at < last.at || next.at - last.at > MAX_GAP_SECONDS

type Waiting = { names: Set<string> | 'all'; follower: Follower | undefined; running: Promise<void> | undefined }

/** Collects names by topic, until the topic has a follower that accepts them. */
function createHandingOver(log: Pick<Logger, 'warn'>) {
  const topics = new Map<Topic, Waiting>()
  let isOfAll = false
  const waitingOf = (topic: Topic): Waiting => {
    const known = topics.get(topic)
    if (known) return known
    const waiting: Waiting = { names: isOfAll ? 'all' : new Set(), follower: undefined, running: undefined }
    topics.set(topic, waiting)
    return waiting
  }
  const add = (topic: Topic, name: string) => {
    const waiting = waitingOf(topic)
    if (waiting.names === 'all') return
    if (name === ALL || waiting.names.size >= MAX_NAMES) waiting.names = 'all'
    else waiting.names.add(name)
  }
  const handOver = async (topic: Topic, waiting: Waiting, follower: Follower) => {
    const names: ChangedNames = waiting.names === 'all' ? 'all' : [...waiting.names]
    waiting.names = new Set()
    try {
      await follower(names)
    } catch (error) {
      log.warn('a change of another node could not be followed', { topic, error })
      for (const name of names === 'all' ? [ALL] : names) add(topic, name)
    }
  }
  return {
    add,
    addAll() {
      isOfAll = true
      for (const waiting of topics.values()) waiting.names = 'all'
    },
    follow: (topic: Topic, follower: Follower) => void Object.assign(waitingOf(topic), { follower }),
    over() {
      for (const [topic, waiting] of topics) {
        const isEmpty = waiting.names !== 'all' && waiting.names.size === 0
        if (waiting.follower && !isEmpty && !waiting.running)
          waiting.running = handOver(topic, waiting, waiting.follower).finally(() => {
            waiting.running = undefined
          })
      }
    },
    end: async () => void (await Promise.all([...topics.values()].map(({ running }) => running))),
  }
}
