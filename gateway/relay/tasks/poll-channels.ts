import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Clock } from '../../base/clock.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import type { JsonObject } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import { upTo } from '../../base/lru.ts'
import { type ActiveChannel, withKey } from '../../channels/registry/active-channel.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'

export type Followed<Row> = Readonly<{
  /** Returns unfinished tasks, by ascending id. */
  unfinished(after: number, limit: number): Promise<readonly Row[]>
  idOf(row: Row): string
  query(channel: ActiveChannel, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, JsonObject>>
  apply(row: Row, answer: JsonObject, channel: ActiveChannel): Promise<void>
  fail(row: Row, reason: FailReason): Promise<void>
  /** Whether a task has exceeded the max duration of its kind, by the wall clock. */
  isOverdue(row: Row): boolean
  times: FollowTimes
}>

/** Monotonic milliseconds, by id: since when a task has been overdue, and how long a channel took last. */
type FollowTimes = Readonly<{ overdueSince: LRUCache<number, number>; channelMs: LRUCache<number, number> }>

/** Starts empty, for at most 10,000 tasks and channels each. */
export const newFollowTimes = (): FollowTimes => ({
  overdueSince: new LRUCache(upTo(MAX_KNOWN)),
  channelMs: new LRUCache(upTo(MAX_KNOWN)),
})

type FailReason = 'task.failed.timeout' | 'task.failed.channelGone' | 'task.failed.noId'

export type FollowedRow = Readonly<{ id: number; channel_id: number; key_id: string }>

export type PollDeps = Readonly<{
  registry: Pick<ChannelRegistry, 'channel'>
  clock: Pick<Clock, 'monotonic'>
  log: Logger
}>

/** Max rows of one poll, ids of one request, and channels polled concurrently. */
const MAX_ROWS = 500
const MAX_IDS = 100
const CONCURRENCY = 4
const MAX_KNOWN = 10_000
/** Max length of a response to one request, in MiB. */
export const MAX_LIST_MIB = 8
/** A poll ends after this time, whatever a vendor does. */
const MAX_POLL_MS = 30_000
/**
 * An overdue task is given up only after it has been polled for this long: the wall clock may have jumped, or the
 * machine may have slept while its vendor continued. It is polled longer if its vendor does not respond, since the
 * network may not be available yet.
 */
const GRACE_MS = 600_000
const SILENT_GRACE_MS = 3_600_000

/**
 * Polls unfinished tasks, at most 500, with ids after `after` (docs/reference/tasks.md#polling). Returns their number
 * (`polled`), and the id after which the next poll continues (`next`): 0 once all have been polled. If a channel does
 * not respond, its tasks stay unchanged until they are overdue.
 */
export async function pollAll<Row extends FollowedRow>(
  deps: PollDeps,
  followed: Followed<Row>,
  after: number,
  signal: AbortSignal,
): Promise<Readonly<{ polled: number; next: number }>> {
  const rows = await followed.unfinished(after, MAX_ROWS)
  await pollRows(deps, followed, rows, signal)
  return { polled: rows.length, next: rows.length < MAX_ROWS ? 0 : (rows.at(-1)?.id ?? 0) }
}

/**
 * Polls these tasks channel by channel, starting with the channels that were fastest last time. Ends after
 * `MAX_POLL_MS` or with the signal; tasks not polled by then wait for a later poll.
 */
export async function pollRows<Row extends FollowedRow>(
  deps: PollDeps,
  followed: Followed<Row>,
  rows: readonly Row[],
  signal?: AbortSignal,
): Promise<void> {
  const { channelMs } = followed.times
  const limit = pLimit(CONCURRENCY)
  const msOf = ([first]: readonly Row[]) => (first && channelMs.get(first.channel_id)) ?? 0
  const groups = [...Map.groupBy(rows, ({ channel_id, key_id }) => `${channel_id} ${key_id}`).values()]
  const ending = AbortSignal.any([AbortSignal.timeout(MAX_POLL_MS), ...(signal ? [signal] : [])])
  const work = groups
    .toSorted((one, other) => msOf(one) - msOf(other))
    .map((group) => limit(() => pollGroup(deps, followed, group, ending)))
  await Promise.all(work)
}

async function pollGroup<Row extends FollowedRow>(
  { registry, clock, log }: PollDeps,
  followed: Followed<Row>,
  rows: readonly Row[],
  ending: AbortSignal,
): Promise<void> {
  const [first] = rows
  if (!first || ending.aborted) return
  const found = registry.channel(first.channel_id)
  // A task that cannot be stored does not delay others.
  const follow = (row: Row, work: () => Promise<void>) =>
    work().catch((error: unknown) => log.error('a task could not be followed', { taskId: row.id, error }))
  const failAll = async (some: readonly Row[], reason: FailReason) => {
    for (const row of some) await follow(row, () => followed.fail(row, reason))
  }
  await failAll(
    rows.filter((row) => followed.idOf(row) === ''),
    'task.failed.noId',
  )
  const named = rows.filter((row) => followed.idOf(row) !== '')
  if (!found) return failAll(named, 'task.failed.channelGone')
  const channel = withKey(found, first.key_id) ?? found
  const isGivenUp = (row: Row, graceMs: number): boolean => {
    const { overdueSince } = followed.times
    if (!followed.isOverdue(row)) {
      overdueSince.delete(row.id)
      return false
    }
    const since = overdueSince.get(row.id) ?? clock.monotonic()
    overdueSince.set(row.id, since)
    return clock.monotonic() - since >= graceMs
  }
  const startMs = clock.monotonic()
  for (let start = 0; start < named.length && !ending.aborted; start += MAX_IDS) {
    const some = named.slice(start, start + MAX_IDS)
    const answer = await followed
      .query(channel, [...new Set(some.map(followed.idOf))], ending)
      .catch((error: unknown) => {
        log.warn('tasks could not be queried', { channelId: channel.id, error })
        return undefined
      })
    for (const row of some) {
      await yieldToOthers()
      await follow(row, async () => {
        const one = answer?.get(followed.idOf(row))
        if (one) await followed.apply(row, one, channel)
        // Harmless if it was just finished: a failure only applies to unfinished tasks.
        if (isGivenUp(row, answer ? GRACE_MS : SILENT_GRACE_MS)) await followed.fail(row, 'task.failed.timeout')
      })
    }
    followed.times.channelMs.set(channel.id, clock.monotonic() - startMs)
  }
}
