import * as z from 'zod/mini'
import type { LogView } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { parsed } from '../../../shared/json.ts'

/** A row of the usage log with its `other` opened, and the names by id of the channels that it may tell of. */
export type LogEntry = LogView & Readonly<{ facts: LogFacts; channelNames: ChannelNames }>

export type ChannelNames = Readonly<Record<string, string>>

/** Opens the facts of a row; rows of other makers may hold anything, so each fact stands or falls alone. */
export const entryOf = (row: LogView, channelNames: ChannelNames = {}): LogEntry => ({
  ...row,
  facts: factsIn(row.other),
  channelNames,
})

/** A channel by its id and its name of today: `#8 name`; one that is gone has no name. */
export const channelText = ({ channelNames }: LogEntry, id: number): string => `#${id} ${channelNames[id] ?? ''}`.trim()

/** How long the request took, in milliseconds; rows from before say it in whole seconds, and nothing below one. */
export const durationOf = ({ use_time: seconds, facts }: LogEntry): number | undefined =>
  facts.duration_ms >= 0 ? facts.duration_ms : seconds * 1000 || undefined

/** The channels that were asked, where that was more than one. */
export function retriesOf({ facts }: LogEntry): readonly number[] {
  const asked = facts.admin_info.use_channel.map(Number)
  return asked.length > 1 ? asked : []
}

/**
 * Whether the row tells of a request to a model; others leave the columns of requests blank
 * (docs/reference/screens.md#usage-log).
 */
export const isRequest = ({ type }: LogView): boolean =>
  type === 0 || type === logType.consume || type === logType.error

/** What tells a row from all others: a user's own rows are numbered by place, which moves as new ones arrive. */
export const keyOf = ({ id, facts }: LogEntry): string => facts.request_id || `row-${id}`

const text = z.catch(z.string(), '')
const count = z.catch(z.number(), 0)

/** A channel that was asked, and why it did not serve where it did not. */
const attempt = z.object({
  channel: z.number(),
  status: z.optional(z.number()),
  reason: z.optional(z.string()),
  /** The place of the key, from 1; only where the channel has several. */
  key: count,
})

/** Why a channel, or one of its keys, was passed over; rows from before there were several reasons name none. */
const skipped = z.object({
  channel: z.number(),
  reason: z.catch(
    z.enum(['cooldown', 'limited', 'unsupported', 'prompt_too_long', 'at_capacity', 'no_key']),
    'cooldown',
  ),
  /** The status it cools down for; 0 where no answer began or it does not. */
  status: count,
  /** For how many more it cools down. */
  seconds: count,
  key: count,
})
export type Skip = z.output<typeof skipped>
export type Attempt = z.output<typeof attempt>

const servedBy = (channels: readonly string[]): z.output<typeof attempt>[] =>
  channels.map((channel) => ({ channel: Number(channel), key: 0 }))

const noAdminInfo = {
  endpoint: 'chat',
  upstream_format: '',
  use_channel: [],
  tried: [],
  skipped: [],
  option: '',
  actor: { username: '' },
  reset: false,
  password_of: '',
}

const facts = z.object({
  request_id: text,
  /** Milliseconds to the first byte; not above 0 where there was none. */
  frt: count,
  /** Milliseconds to the end. */
  duration_ms: z.catch(z.number(), -1),
  is_model_mapped: z.catch(z.boolean(), false),
  upstream_model_name: text,
  cache_tokens: count,
  cache_creation_tokens: count,
  reasoning_tokens: count,
  reasoning_effort: text,
  /** Tokens of output that the account could pay for, where the request was limited to them. */
  output_limit: count,
  /** The answer came from the cache, and had been there for so many seconds. */
  cache_hit: z.catch(z.boolean(), false),
  cache_hit_age: count,
  /** The bodies of the call are kept for a while. */
  bodies_kept: z.catch(z.boolean(), false),
  /** What of the answer its caller's dialect had no place for, by name. */
  answer_dropped: z.catch(z.array(z.string()), []),
  audio_input: count,
  audio_output: count,
  text_input: count,
  text_output: count,
  usage_source: text,
  ended: text,
  unset_price: z.catch(z.boolean(), false),
  error_code: text,
  status_code: count,
  /** How many failures this row stands for, and the unix seconds of the first and the last. */
  folded: z.catch(z.object({ count, first: count, last: count }), { count: 0, first: 0, last: 0 }),
  /** Only administrators are given it. */
  admin_info: z.catch(
    z.pipe(
      z.object({
        /** What was asked for; chat is not said. */
        endpoint: z.catch(z.string(), 'chat'),
        /** The API format of the upstream where it is not the caller's. */
        upstream_format: text,
        use_channel: z.catch(z.array(z.string()), []),
        /** One channel that served is not said twice. */
        tried: z.catch(z.array(attempt), []),
        skipped: z.catch(z.array(skipped), []),
        /** The option that was changed, by whom, and whether back to its default. */
        option: text,
        actor: z.catch(z.object({ username: text }), { username: '' }),
        reset: z.catch(z.boolean(), false),
        /** Who was given a new password at the command line. */
        password_of: text,
      }),
      z.transform(({ tried, ...info }) => ({ ...info, tried: tried.length > 0 ? tried : servedBy(info.use_channel) })),
    ),
    noAdminInfo,
  ),
})
export type LogFacts = z.output<typeof facts>

const noFacts = facts.parse({})

const factsIn = (other: string): LogFacts => facts.safeParse(parsed(other)).data ?? noFacts
