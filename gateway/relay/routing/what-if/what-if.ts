import type { z } from 'zod'
import {
  WHAT_IF_SPAN_S,
  type WhatIfChannel,
  type WhatIfModel,
  type WhatIfReport,
  type whatIfRequest,
} from '../../../../shared/api/what-if.ts'
import { type Clock, unixSeconds } from '../../../base/clock.ts'
import { breathe } from '../../../base/pace.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import type { ChannelRegistry } from '../../../channels/registry/channel-registry.ts'
import type { Settings } from '../../../settings/settings.ts'
import type { Db } from '../../../store/database.ts'
import type { RouteDeps } from '../route.ts'
import { type ReadCalls, readCalls, readPeaks, spanOf } from './read-calls.ts'
import { replayIn } from './replay.ts'
import { createTally, type ReplayTally, rounded } from './tally.ts'
import { changedWorld, type Offer, offeredOnlyIn, type ReplayWorld, worldNow } from './worlds.ts'

export type WhatIfDeps = Omit<RouteDeps, 'settings'> &
  Readonly<{ settings: Settings; registry: ChannelRegistry; clock: Clock }>

/** The question as the contract has read it. */
export type ParsedWhatIf = z.output<typeof whatIfRequest>

/** Where the log is read, until nobody waits for the answer. */
export type WhatIfReading = Readonly<{ db: Db; signal: AbortSignal }>

/**
 * What would have become of the requests of a time with other channels, weights, priorities or retries
 * (docs/reference/what-if.md): those of the log are led through the changed channels by the relay's own route. Asks nobody,
 * writes nothing; works in short turns, and stops once nobody waits.
 */
export async function whatIf(
  deps: WhatIfDeps,
  ask: ParsedWhatIf,
  { db, signal }: WhatIfReading,
): Promise<WhatIfReport> {
  const now = unixSeconds(deps.clock)
  const span = spanOf(ask, now, WHAT_IF_SPAN_S)
  const standing = await worldNow(deps)
  const changed = await changedWorld(standing, ask.channels, ask.retry_times ?? standing.retryTimes)
  const rest = createRest(deps.clock, signal)
  const read = await readCalls({ db, registry: deps.registry, rest }, span)
  const peaks = await readPeaks(db, now)
  const replaying = { ...deps, evidence: read.evidence, past: read.past, quotaOf: read.quotaOf, rest }
  const unchanged = createTally()
  await replayIn(replaying, standing, read.calls, unchanged)
  const would = createTally()
  await replayIn(replaying, changed, read.calls, would)
  const tallies = { was: read.was, unchanged, would }
  const lost = offeredOnlyIn(standing, changed)
  const gained = offeredOnlyIn(changed, standing)
  return {
    from: read.isCut ? (read.oldest ?? span.from) : span.from,
    to: span.to,
    rows: read.rows,
    is_cut: read.isCut,
    calls: read.calls.reduce((sum, { times }) => sum + times, 0),
    refused: read.refused,
    cached: read.cached,
    retry_times: { now: standing.retryTimes, changed: changed.retryTimes },
    was: read.was.totals(),
    unchanged: unchanged.totals(),
    would: would.totals(),
    unsure: would.unsure(),
    channels: channelsTold({ standing, changed, read, tallies, peaks: peaksOf(peaks.hours), ids: ask.channels }),
    peak_since: peaks.since,
    lost: modelsTold(lost, read),
    lost_models: lost.length,
    gained: modelsTold(gained, read),
    gained_models: gained.length,
  }
}

/** Work between two pauses, in milliseconds: what is relayed meanwhile has the thread for as long as this has. */
const TURN_MS = 5

function createRest(clock: Pick<Clock, 'monotonic'>, signal: AbortSignal): () => Promise<void> {
  let begunMs = clock.monotonic()
  return async () => {
    signal.throwIfAborted()
    if (clock.monotonic() - begunMs < TURN_MS) return
    await breathe()
    begunMs = clock.monotonic()
  }
}

const MAX_MODELS = 200

/** The most asked for first. */
const modelsTold = (offers: readonly Offer[], { countOf }: ReadCalls): WhatIfModel[] =>
  offers
    .map(({ group, model }) => ({ group, model, calls: countOf(group, model) }))
    .sort((a, b) => b.calls - a.calls)
    .slice(0, MAX_MODELS)

function peaksOf(hours: Awaited<ReturnType<typeof readPeaks>>['hours']): ReadonlyMap<number, number> {
  const peaks = new Map<number, number>()
  for (const { channel_id, n } of hours) peaks.set(channel_id, Math.max(n, peaks.get(channel_id) ?? 0))
  return peaks
}

type Told = Readonly<{
  standing: ReplayWorld
  changed: ReplayWorld
  read: ReadCalls
  tallies: Readonly<{ was: ReplayTally; unchanged: ReplayTally; would: ReplayTally }>
  peaks: ReadonlyMap<number, number>
  ids: readonly Readonly<{ id: number }>[]
}>

/** Those that were asked, would be, or are changed; the busiest first. */
function channelsTold({ standing, changed, read, tallies, peaks, ids }: Told): WhatIfChannel[] {
  const { was, unchanged, would } = tallies
  const told = new Set([...was.channels(), ...unchanged.channels(), ...would.channels(), ...ids.map(({ id }) => id)])
  return [...told]
    .map((id): WhatIfChannel => {
      const peak = peaks.get(id) ?? 0
      const loads = { was: was.loadOf(id), unchanged: unchanged.loadOf(id), would: would.loadOf(id) }
      return {
        channel_id: id,
        name: standing.channels.get(id)?.name ?? '',
        now: standingOf(standing.channels.get(id)),
        changed: standingOf(changed.channels.get(id)),
        ...loads,
        peak,
        load: loadOf(loads.would.busiest_hour, Math.max(peak, loads.was.busiest_hour)),
        evidence: evidenceOf(read, id, loads.would.attempts, would.unsure(id)),
      }
    })
    .sort(
      (a, b) => b.would.attempts + b.was.attempts - a.would.attempts - a.was.attempts || a.channel_id - b.channel_id,
    )
}

const standingOf = (channel: ActiveChannel | undefined): WhatIfChannel['now'] =>
  channel ? { status: channel.status, weight: channel.weight, priority: channel.priority } : null

/** So many times its busiest hour is more than a channel is used to; of few requests nobody need be warned. */
const SEVERAL = 3
const FEW_AN_HOUR = 10

function loadOf(busiest: number, known: number): WhatIfChannel['load'] {
  if (rounded(busiest) === 0) return 'usual'
  if (known === 0) return 'new'
  return busiest >= FEW_AN_HOUR && busiest >= SEVERAL * known ? 'several' : 'usual'
}

function evidenceOf({ evidence }: ReadCalls, id: number, attempts: number, unsure: number): WhatIfChannel['evidence'] {
  if (!evidence.knows(id)) return 'none'
  return attempts > 0 && unsure > attempts / 2 ? 'few' : 'enough'
}
