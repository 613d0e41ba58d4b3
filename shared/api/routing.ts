import { z } from 'zod'
import { call } from './call.ts'
import { idParams, text } from './fields.ts'

/** Why a channel, or one of its keys, is left alone (spec/relay.md §4.4, design/product.md promise 5). */
const cooldown = z.object({
  /** The model it concerns; empty for all. */
  model: z.string(),
  /** `limited`: the vendor said when to come back; `failing`: it is asked where nothing else is left. */
  kind: z.enum(['limited', 'failing']),
  /** The upstream's last status; 0 where no answer began. */
  status: z.number(),
  /** The upstream's words, without key and address. */
  message: z.string(),
  /** Failures in a row. */
  failures: z.number(),
  /** Until it may be asked again; 0 while one request tries it. */
  seconds: z.number(),
  /** Unix seconds of the last failure. */
  failed_at: z.number(),
})
export type CooldownView = z.infer<typeof cooldown>

const channelCooldown = cooldown.extend({
  channel_id: z.number(),
  /** The key it concerns; empty for the whole channel. */
  key_id: z.string(),
})
export type ChannelCooldown = z.infer<typeof channelCooldown>

/** One of a channel's keys. The key itself never comes back. */
const channelKey = z.object({
  /** A fingerprint of the key, 16 hexadecimal digits. */
  id: z.string(),
  /** Its place in the channel, from 1. */
  position: z.number(),
  /** The last characters of a long key, to tell it from its neighbours; empty for a short one or one that is JSON. */
  tail: z.string(),
  /** 1 enabled, 2 disabled by hand, 3 disabled by the system. */
  status: z.number(),
  /** Why and when (unix seconds) the system disabled it; empty and 0 otherwise. */
  reason: z.string(),
  status_time: z.number(),
  cooldowns: z.array(cooldown),
})
export type ChannelKey = z.infer<typeof channelKey>

const keyParams = idParams.extend({ key: z.string().regex(/^[0-9a-f]{16}$/) })

/** What "Why this channel?" asks: as whom, for what. */
const explainRequest = z.object({
  model: text(255),
  /** Empty for the token's own group, else the caller's. */
  group: text(64).default(''),
  /** A token of any account; absent for the administrator's own account. */
  token_id: z.number().int().positive().optional(),
  /** What is asked for. */
  endpoint: z.enum(['chat', 'responses', 'messages', 'generate', 'embeddings', 'images', 'rerank']).default('chat'),
  /** Tokens the prompt is taken to have. */
  prompt_tokens: z.number().int().min(0).max(100_000_000).default(0),
})
export type ExplainRequest = z.input<typeof explainRequest>

/**
 * `asked`: it would be asked, in this order; `cooling` and `limited`: passed over as `cooldown` says; `elsewhere`: its vendor
 * cannot answer the endpoint; `long`: the prompt is longer than its limit; `full`: all its places are taken; `keyless`:
 * all its keys are off or cooling down.
 */
export const eligibilityVerdicts = ['asked', 'resting', 'limited', 'elsewhere', 'long', 'full', 'keyless'] as const

const explainedChannel = z.object({
  channel_id: z.number(),
  name: z.string(),
  type: z.number(),
  priority: z.number(),
  weight: z.number(),
  /** The chance that it is asked first among those of its priority that may be asked, from 0 to 1. */
  share: z.number(),
  verdict: z.enum(eligibilityVerdicts),
  cooldown: cooldown.nullable(),
  /** The upstream's name of the model. */
  upstream_model: z.string(),
  /** Keys that may be used now, and all. */
  keys_usable: z.number(),
  keys: z.number(),
})
export type ExplainedChannel = z.infer<typeof explainedChannel>

const explanation = z.object({
  /** The group that is used in the end; `auto` is resolved. */
  group: z.string(),
  model: z.string(),
  /** The refusal a caller would get, in the reader's language; empty where a channel would be asked. */
  refusal: z.string(),
  /** Channels asked for one request at most, as RetryTimes says. */
  tries: z.number(),
  /** By falling priority, then by falling share. */
  channels: z.array(explainedChannel),
  /** Channels that offer the model to the group but are switched off, with their status. */
  off: z.array(z.object({ channel_id: z.number(), name: z.string(), status: z.number(), reason: z.string() })),
})
export type RoutingExplanation = z.infer<typeof explanation>

/** How requests find their channels: what is cooling down, which keys work, and why a channel is chosen. */
export const routing = {
  cooldowns: call({ method: 'GET', path: '/api/channel/cooldowns', access: 'admin', answer: z.array(channelCooldown) }),
  /** Clears the cooldowns of a channel and of all its keys. */
  clearCooldowns: call({
    method: 'DELETE',
    path: '/api/channel/cooldowns/:id',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  keys: call({
    method: 'GET',
    path: '/api/channel/keys/:id',
    access: 'admin',
    params: idParams,
    answer: z.array(channelKey),
  }),
  /** One a line; keys the channel has already are left out. Answers how many are new. */
  addKeys: call({
    method: 'POST',
    path: '/api/channel/keys/:id',
    access: 'admin',
    params: idParams,
    body: z.object({ keys: z.string().max(200_000) }),
    answer: z.number(),
  }),
  switchKey: call({
    method: 'PUT',
    path: '/api/channel/keys/:id/:key',
    access: 'admin',
    params: keyParams,
    body: z.object({ status: z.union([z.literal(1), z.literal(2)]) }),
    answer: z.null(),
  }),
  /** The last key of a channel stays. */
  removeKey: call({
    method: 'DELETE',
    path: '/api/channel/keys/:id/:key',
    access: 'admin',
    params: keyParams,
    answer: z.null(),
  }),
  explain: call({
    method: 'POST',
    path: '/api/channel/explain',
    access: 'admin',
    body: explainRequest,
    answer: explanation,
  }),
}
