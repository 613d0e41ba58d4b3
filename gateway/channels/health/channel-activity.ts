import type { ChannelActivity } from '../../../shared/api/channel-many.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { type ChannelHour, channelHours } from '../../store/log/channel-hours.ts'
import { hourOf } from '../../store/log/usage-hours.ts'
import type { Reader } from '../../store/sqlite/reader.ts'

/**
 * Reads what the channels did in the last 24 hours, by UTC hours (docs/reference/channels.md#activity): at most once a
 * minute, for all channels together, and off the relay's thread.
 */
export type ReadActivity = (ids: readonly number[]) => Promise<ChannelActivity>

const HOURS = 24
const HOUR_S = 3600
const FRESH_S = 60

type ActivityDeps = Readonly<{
  reader: Pick<Reader, 'until'>
  clock: Clock
  /** Resolves once everything charged and logged so far is readable. */
  settled: () => Promise<void>
}>

/** Caches the figures for a minute, as a promise: concurrent callers share a read, and a failure. */
export function createActivity(deps: ActivityDeps): ReadActivity {
  const { clock } = deps
  let last: { at: number; read: Promise<Figures> } | undefined
  return async (ids) => {
    const now = unixSeconds(clock)
    if (!last || now - last.at >= FRESH_S) last = { at: now, read: figures(deps, now) }
    const { since, served, failed } = await last.read
    const channels = ids.map((id) => ({
      channel_id: id,
      served: served.get(id) ?? NOTHING,
      failed: failed.get(id) ?? NOTHING,
    }))
    return { since, channels }
  }
}

const NOTHING: number[] = new Array(HOURS).fill(0)

type Figures = Readonly<{ since: number; served: ReadonlyMap<number, number[]>; failed: ReadonlyMap<number, number[]> }>

async function figures({ reader, settled }: ActivityDeps, now: number): Promise<Figures> {
  await settled()
  const since = hourOf(now) - (HOURS - 1) * HOUR_S
  const rows = await channelHours(reader.until(), since)
  return { since, served: byHour(rows, since, 'served'), failed: byHour(rows, since, 'failed') }
}

/** Counts by channel and hour; a row newer than the range is added to the last hour. */
function byHour(rows: readonly ChannelHour[], since: number, what: 'served' | 'failed'): ReadonlyMap<number, number[]> {
  const channels = new Map<number, number[]>()
  for (const row of rows) {
    const counts = channels.get(row.channel_id) ?? new Array<number>(HOURS).fill(0)
    const index = Math.min((row.created_at - since) / HOUR_S, HOURS - 1)
    counts[index] = (counts[index] ?? 0) + row[what]
    channels.set(row.channel_id, counts)
  }
  return channels
}
