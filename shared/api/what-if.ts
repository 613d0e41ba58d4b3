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

/** Requests; a fraction where chance decides. */
const calls = z.number()
/** Milliseconds from arrival to end, percentiles to within 5 %; null where nothing was answered. */
const milliseconds = z.number().nullable()
const latency = { average_ms: milliseconds, p50_ms: milliseconds, p95_ms: milliseconds }

const totals = z
  .object({
    ...latency,
    answered: calls,
    failed: calls,
    no_channel: calls,
    attempts: calls.describe('Requests sent to channels.'),
    quota: z.number(),
  })
  .meta({ id: 'WhatIfTotals' })
export type WhatIfTotals = z.infer<typeof totals>

const load = z
  .object({
    ...latency,
    attempts: calls,
    share: z.number().describe('Of all requests sent to channels, from 0 to 1.'),
    failed: calls,
    busiest_hour: calls.describe('The most within one hour of the clock.'),
  })
  .meta({ id: 'WhatIfLoad' })
export type WhatIfLoad = z.infer<typeof load>

/** Whether a channel gets what it is used to: at least three times its busiest hour is `several`; `new` has served nobody lately. */
const loads = ['usual', 'several', 'new'] as const
/** On how much it rests: `few` where most does on fewer than 20 requests, `none` where there was none. */
const evidence = ['enough', 'few', 'none'] as const

const standing = z.object({ status: z.int(), weight: z.int(), priority: z.int() }).meta({ id: 'WhatIfStanding' })

const channel = z.object({
  channel_id: z.int(),
  name: z.string().describe('Empty where it is gone.'),
  now: standing.nullable(),
  changed: standing.nullable(),
  was: load,
  unchanged: load,
  would: load,
  peak: z.int().describe('The most it served in one hour since peak_since.'),
  load: z.enum(loads),
  evidence: z.enum(evidence),
})
export type WhatIfChannel = z.infer<typeof channel>

const model = z.object({ group: z.string(), model: z.string(), calls }).meta({ id: 'WhatIfModel' })
export type WhatIfModel = z.infer<typeof model>

/** What would have become of the requests, beside what did (docs/reference/what-if.md). */
export const whatIfReport = z
  .object({
    from: z.int().describe('Unix seconds.'),
    to: z.int(),
    rows: z.int().describe('Log rows that were looked at.'),
    is_cut: z.boolean().describe('There were older ones in that time, which are left out.'),
    calls: z.int().describe('Requests that are replayed.'),
    refused: z.int().describe('Left out: refused before routing.'),
    cached: z.int().describe('Left out: answered by the response cache.'),
    retry_times: z.object({ now: z.int(), changed: z.int() }),
    was: totals.describe('What happened.'),
    unchanged: totals.describe('What the rules expect with nothing changed.'),
    would: totals.describe('What they expect with the changes.'),
    unsure: calls.describe('Requests that rest on fewer than 20 of their channel and model.'),
    channels: z.array(channel),
    peak_since: z.int(),
    lost: z.array(model).describe('Models that a group could use no more; 200 at most.'),
    lost_models: z.int(),
    gained: z.array(model),
    gained_models: z.int(),
  })
  .meta({ id: 'WhatIfReport' })
export type WhatIfReport = z.infer<typeof whatIfReport>
