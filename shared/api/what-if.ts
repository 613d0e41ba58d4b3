import { z } from 'zod'
import { said } from './fields.ts'

/** The longest stretch of traffic that is replayed, in seconds. */
export const WHAT_IF_SPAN_S = 86_400

/** One channel as it would be; what is absent stays as it is. */
const channelChange = z.object({
  id: z.int().positive(),
  status: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .describe('1 enabled, 2 disabled.'),
  weight: z.int().min(0).max(1_000_000_000).optional(),
  priority: z.int().min(-1_000_000_000).max(1_000_000_000).optional(),
})
export type WhatIfChange = z.infer<typeof channelChange>

/** What would be different, and of which time the requests are. */
export const whatIfRequest = z.object({
  start_timestamp: z.int().min(0).default(0).describe('Unix seconds; 0 for 24 hours before the end.'),
  end_timestamp: z.int().min(0).default(0).describe('Unix seconds; 0 for now.'),
  channels: z
    .array(channelChange)
    .max(200)
    .default([])
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, said('whatIf.twice'))
    .describe('The channels that would be different, each once.'),
  retry_times: z.int().min(0).max(10).optional().describe('RetryTimes; absent for what it is now.'),
})
export type WhatIfRequest = z.input<typeof whatIfRequest>

const calls = z.number().describe('Requests; a fraction where chance decides.')

const latency = z
  .object({
    average_ms: z.number().nullable().describe('Milliseconds from arrival to end; null where nothing was answered.'),
    p50_ms: z.number().nullable().describe('Half stay within it; to within 5 %.'),
    p95_ms: z.number().nullable().describe('95 of 100 stay within it.'),
  })
  .meta({ id: 'WhatIfLatency' })

const totals = latency
  .extend({
    answered: calls.describe('Requests that a channel answered to the end.'),
    failed: calls.describe('Requests that failed after a channel was asked.'),
    no_channel: calls.describe('Requests that found no channel.'),
    attempts: calls.describe('Requests to channels, those that failed included.'),
    quota: z.number().describe('What was charged for them, in quota.'),
  })
  .meta({ id: 'WhatIfTotals' })
export type WhatIfTotals = z.infer<typeof totals>

const load = latency
  .extend({
    attempts: calls.describe('Requests sent to the channel.'),
    share: z.number().describe('Its part of all requests sent to channels, from 0 to 1.'),
    failed: calls.describe('Those of them that failed.'),
    busiest_hour: calls.describe('The most requests sent to it within one hour of the clock.'),
  })
  .meta({ id: 'WhatIfLoad' })
export type WhatIfLoad = z.infer<typeof load>

/** Whether a channel gets what it is used to. */
export const whatIfLoads = ['usual', 'several', 'new'] as const
/** On how much the expectation of a channel rests. */
export const whatIfEvidence = ['enough', 'few', 'none'] as const

const standing = z.object({ status: z.int(), weight: z.int(), priority: z.int() })

const channel = z.object({
  channel_id: z.int(),
  name: z.string().describe('Empty where the channel is gone.'),
  now: standing.nullable().describe('How it stands now; null where it is gone.'),
  changed: standing.nullable().describe('How it would stand.'),
  was: load.describe('What happened.'),
  unchanged: load.describe('What the rules expect for these requests with nothing changed.'),
  would: load.describe('What they expect with the changes.'),
  peak: z.int().describe('The most requests it served in one hour of the time since `peak_since`.'),
  load: z
    .enum(whatIfLoads)
    .describe('several: at least three times its busiest hour; new: it has served nobody in that time.'),
  evidence: z
    .enum(whatIfEvidence)
    .describe(
      'few: most of what it would get rests on fewer than 20 requests of that model; none: it was asked for nothing in this time.',
    ),
})
export type WhatIfChannel = z.infer<typeof channel>

const lostModel = z.object({ group: z.string(), model: z.string(), calls })
export type WhatIfModel = z.infer<typeof lostModel>

/** What would have become of the requests, beside what did. */
export const whatIfReport = z
  .object({
    from: z.int().describe('Unix seconds of the oldest request that was looked at, or of the start.'),
    to: z.int(),
    rows: z.int().describe('Log rows that were looked at.'),
    is_cut: z.boolean().describe('There were older ones in that time, which are left out.'),
    calls: z.int().describe('Requests that are replayed.'),
    refused: z.int().describe('Requests that were refused before routing, and are left out.'),
    cached: z.int().describe('Requests that the response cache answered, which are left out.'),
    retry_times: z.object({ now: z.int(), changed: z.int() }),
    was: totals,
    unchanged: totals,
    would: totals,
    unsure: calls.describe('Requests to channels that rest on fewer than 20 of that channel and model.'),
    channels: z
      .array(channel)
      .describe('Those that were or would be asked, and those that are changed; the busiest first.'),
    peak_since: z.int().describe('Unix seconds from which on the usual peaks are known.'),
    lost: z.array(lostModel).describe('Models that no channel would offer to a group any more; 200 at most.'),
    lost_models: z.int().describe('How many those are.'),
    gained: z.array(lostModel).describe('Models that a group would have besides; 200 at most.'),
    gained_models: z.int().describe('How many those are.'),
  })
  .meta({ id: 'WhatIfReport' })
export type WhatIfReport = z.infer<typeof whatIfReport>
