import * as z from 'zod/mini'
import type { LogView } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { parsed } from '../../../shared/json.ts'

/** A usage log row with its parsed `other`, and the names of the channels it mentions by id. */
export type LogEntry = LogView & Readonly<{ facts: LogFacts; channelNames: ChannelNames }>

export type ChannelNames = Readonly<Record<string, string>>

/** Parses a row's facts; rows of other software may contain anything, so each fact is parsed independently. */
export const entryOf = (row: LogView, channelNames: ChannelNames = {}): LogEntry => ({
  ...row,
  facts: factsIn(row.other),
  channelNames,
})

/** A channel's id and current name: `#8 name`; a deleted one has no name. */
export const channelText = ({ channelNames }: LogEntry, id: number): string => `#${id} ${channelNames[id] ?? ''}`.trim()

/**
 * The request's duration in milliseconds; older rows have only whole seconds. Undefined for older rows below one
 * second.
 */
export const durationOf = ({ use_time: seconds, facts }: LogEntry): number | undefined =>
  facts.duration_ms >= 0 ? facts.duration_ms : seconds * 1000 || undefined

export function retriesOf({ facts }: LogEntry): readonly number[] {
  const called = facts.admin_info.use_channel.map(Number)
  return called.length > 1 ? called : []
}

/** Whether the row is a model request; others leave the request columns blank (docs/reference/screens.md#usage-log). */
export const isRequest = ({ type }: LogView): boolean =>
  type === 0 || type === logType.consume || type === logType.error

/** A row's unique key: a user's own rows have positions as ids, which change as new rows arrive. */
export const keyOf = ({ id, facts }: LogEntry): string => facts.request_id || `row-${id}`

const text = z.catch(z.string(), '')
const count = z.catch(z.number(), 0)

const attempt = z.object({
  channel: z.number(),
  status: z.optional(z.number()),
  reason: z.optional(z.string()),
  /** Index of the key from 1; only if the channel has several. */
  key: count,
})

/** Why a channel was skipped; older rows name no reason, which means a cooldown. */
const skipped = z.object({
  channel: z.number(),
  reason: z.catch(
    z.enum(['cooldown', 'limited', 'unsupported', 'prompt_too_long', 'at_capacity', 'no_key']),
    'cooldown',
  ),
  /** The status that caused the cooldown; 0 without a response or cooldown. */
  status: count,
  /** Remaining seconds of the cooldown. */
  seconds: count,
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
  /** Milliseconds to the first byte; 0 or less if there was none. */
  frt: count,
  /** Milliseconds to the end; -1 if unknown. */
  duration_ms: z.catch(z.number(), -1),
  is_model_mapped: z.catch(z.boolean(), false),
  upstream_model_name: text,
  /** The model that the upstream names in its response, if it differs from the one sent. */
  response_model: text,
  cache_tokens: count,
  cache_creation_tokens: count,
  reasoning_tokens: count,
  reasoning_effort: text,
  /** Output tokens that the account could pay for, if the request was limited to them. */
  output_limit: count,
  /** Whether the response came from the cache, and the age of the cached response in seconds. */
  cache_hit: z.catch(z.boolean(), false),
  cache_hit_age: count,
  bodies_kept: z.catch(z.boolean(), false),
  /** Parts of the response that the client's format cannot represent, by name. */
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
  /** Number of failures this row represents, and unix seconds of the first and last. */
  folded: z.catch(z.object({ count, first: count, last: count }), { count: 0, first: 0, last: 0 }),
  /** Only sent to administrators. */
  admin_info: z.catch(
    z.pipe(
      z.object({
        /** The endpoint; omitted for chat. */
        endpoint: z.catch(z.string(), 'chat'),
        /** The upstream's API format, if it differs from the client's. */
        upstream_format: text,
        use_channel: z.catch(z.array(z.string()), []),
        /** Omitted if a single channel served. */
        tried: z.catch(z.array(attempt), []),
        skipped: z.catch(z.array(skipped), []),
        /** The changed option, who changed it, and whether it was reset to its default. */
        option: text,
        actor: z.catch(z.object({ username: text }), { username: '' }),
        reset: z.catch(z.boolean(), false),
        /** The user who was given a new password at the command line. */
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
