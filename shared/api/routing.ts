import { z } from 'zod'
import { call } from './call.ts'
import { idParams, text } from './fields.ts'

/** Why a channel or one of its keys is not used for a while (docs/reference/selection.md#cooldowns). */
const cooldown = z
  .object({
    model: z.string().describe('The model; empty for all.'),
    kind: z
      .enum(['limited', 'failing'])
      .describe('limited: the provider stated how long to wait; failing: used only if there is no other channel.'),
    status: z.int().describe('The last HTTP status from the upstream; 0 if no response began.'),
    message: z.string().describe("The upstream's message, without keys and addresses."),
    failures: z.int().describe('Consecutive failures.'),
    seconds: z.number().describe('Seconds until it may be used again; 0 while one request tests it.'),
    failed_at: z.int().describe('Unix seconds of the last failure.'),
  })
  .meta({ id: 'Cooldown' })
export type CooldownView = z.infer<typeof cooldown>

const channelCooldown = cooldown
  .extend({
    channel_id: z.int(),
    key_id: z.string().describe('The fingerprint of the key; empty for the whole channel.'),
  })
  .meta({ id: 'ChannelCooldown' })
export type ChannelCooldown = z.infer<typeof channelCooldown>

/** One of a channel's keys, without the key itself. */
const channelKey = z
  .object({
    id: z.string().describe('A fingerprint of the key, 16 hexadecimal digits.'),
    position: z.int().describe('Its position in the channel, from 1.'),
    tail: z
      .string()
      .describe('The last characters of a long key, to distinguish it from others; empty for short keys and JSON.'),
    status: z.int().describe('1 enabled, 2 disabled by hand, 3 disabled by the system.'),
    reason: z.string().describe('The reason why the system disabled it; otherwise empty.'),
    status_time: z.int().describe('Unix seconds at which the system disabled it; otherwise 0.'),
    cooldowns: z.array(cooldown),
  })
  .meta({ id: 'ChannelKey' })
export type ChannelKey = z.infer<typeof channelKey>

const keyParams = idParams.extend({ key: z.string().regex(/^[0-9a-f]{16}$/) })

/** A "Routing explorer" query: as whom, for what. */
const explainRequest = z.object({
  model: text(255),
  group: text(64).default('').describe("Empty means the token's group, else the caller's."),
  token_id: z
    .int()
    .positive()
    .optional()
    .describe("A token of any account; absent for the administrator's own account."),
  endpoint: z
    .enum(['chat', 'responses', 'messages', 'generate', 'embeddings', 'images', 'rerank'])
    .default('chat')
    .describe('The request.'),
  prompt_tokens: z.int().min(0).max(100_000_000).default(0).describe('Assumed number of tokens in the prompt.'),
})
export type ExplainRequest = z.input<typeof explainRequest>

/**
 * `eligible`: would be tried, in this order; `cooldown` and `limited`: skipped, see `cooldown`; `unsupported`: its
 * vendor does not offer the endpoint; `prompt_too_long`: the prompt exceeds its limit; `at_capacity`: it has no free
 * slot; `no_key`: none of its keys is usable.
 */
const eligibilityVerdicts = [
  'eligible',
  'cooldown',
  'limited',
  'unsupported',
  'prompt_too_long',
  'at_capacity',
  'no_key',
] as const

const explainedChannel = z.object({
  channel_id: z.int(),
  name: z.string(),
  type: z.int(),
  priority: z.int(),
  weight: z.int(),
  share: z
    .number()
    .describe('The probability that it is tried first among the usable channels of its priority, from 0 to 1.'),
  chance: z
    .int()
    .describe('Its effective weight: slightly above the configured one, so that a weight of 0 also gets requests.'),
  chances: z
    .int()
    .describe('The sum of the weights of all usable channels of its priority, of which its weight is a share.'),
  verdict: z.enum(eligibilityVerdicts),
  cooldown: cooldown.nullable(),
  upstream_model: z.string().describe("The upstream's name of the model."),
  keys_usable: z.int().describe('Number of keys that may be used now.'),
  keys: z.int().describe('Number of keys.'),
})
export type ExplainedChannel = z.infer<typeof explainedChannel>

const explanation = z
  .object({
    group: z.string().describe('The group that is used; `auto` is resolved.'),
    model: z.string(),
    refusal: z
      .string()
      .describe("The refusal a caller would get, in the reader's language; empty if a channel would be tried."),
    refusal_code: z.string().describe('The code of that refusal, such as model_price_error; else empty.'),
    tries: z.int().describe('Max channels tried for one request (RetryTimes).'),
    channels: z.array(explainedChannel).describe('By descending priority, then by descending share.'),
    off: z
      .array(z.object({ channel_id: z.int(), name: z.string(), status: z.int(), reason: z.string() }))
      .describe('Channels that offer the model to the group but are disabled, with their status.'),
  })
  .meta({ id: 'RoutingExplanation' })
export type RoutingExplanation = z.infer<typeof explanation>

/** Channel selection: cooldowns, usable keys, and why a channel is chosen. */
export const routing = {
  cooldowns: call({
    method: 'GET',
    path: '/api/channel/cooldowns',
    summary: 'Lists the channels and keys that are cooling down, and why.',
    access: 'admin',
    answer: z.array(channelCooldown),
  }),
  clearCooldowns: call({
    method: 'DELETE',
    path: '/api/channel/cooldowns/:id',
    summary: 'Clears the cooldowns of a channel and of all its keys.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  keys: call({
    method: 'GET',
    path: '/api/channel/keys/:id',
    summary: "Lists the fingerprints of a channel's keys; never returns a key.",
    access: 'admin',
    params: idParams,
    answer: z.array(channelKey),
  }),
  addKeys: call({
    method: 'POST',
    path: '/api/channel/keys/:id',
    summary: 'Adds keys to a channel, one per line, and returns the number of new keys.',
    access: 'admin',
    params: idParams,
    body: z.object({ keys: z.string().max(200_000) }),
    answer: z.int(),
  }),
  switchKey: call({
    method: 'PUT',
    path: '/api/channel/keys/:id/:key',
    summary: "Enables or disables one of a channel's keys.",
    access: 'admin',
    params: keyParams,
    body: z.object({ status: z.union([z.literal(1), z.literal(2)]) }),
    answer: z.null(),
  }),
  removeKey: call({
    method: 'DELETE',
    path: '/api/channel/keys/:id/:key',
    summary: "Removes one of a channel's keys; refused for the last one.",
    access: 'admin',
    params: keyParams,
    answer: z.null(),
  }),
  explain: call({
    method: 'POST',
    path: '/api/channel/explain',
    summary: 'Explains to which channels a request would be sent, in which order, and why.',
    access: 'admin',
    onDemo: 'open',
    body: explainRequest,
    answer: explanation,
  }),
}
