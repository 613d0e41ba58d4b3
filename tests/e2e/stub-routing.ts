import type { Page } from '@playwright/test'
import type {
  ChannelCooldown,
  ChannelKey,
  CooldownView,
  ExplainedChannel,
  RoutingExplanation,
} from '../../shared/api/routing.ts'

/** Stubs a call with this data, for states that would take a vendor half an hour to cause. */
export const tells = (path: RegExp, data: unknown) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))

/** The gateway's own channels, but each with several keys; works for one channel and for a list. */
export const severalKeys = (page: Page) =>
  page.route(/\/api\/channel(\/\d+)?\/?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    const withKeys = (channel: object) => ({ ...channel, key_count: 5 })
    const data = Array.isArray(answer.data) ? answer.data.map(withKeys) : withKeys(answer.data)
    await route.fulfill({ response, json: { ...answer, data } })
  })

const limited: CooldownView = {
  model: '',
  kind: 'limited',
  status: 429,
  message: 'Rate limit reached for requests per minute: 500 of 500. Please try again in 20 s.',
  failures: 2,
  seconds: 754,
  failed_at: 1_795_267_800,
}
const failing: CooldownView = {
  ...limited,
  kind: 'failing',
  status: 500,
  message: 'overloaded',
  failures: 5,
  seconds: 41,
}
const silent: CooldownView = { ...failing, model: 'gpt-4o', status: 0, message: '', seconds: 0 }

/**
 * One channel is cooling down completely, one for a model, and one with two of its keys; the ids are those of the
 * furnished console.
 */
export const cooldowns: readonly ChannelCooldown[] = [
  { ...limited, channel_id: 1, key_id: '' },
  { ...failing, channel_id: 2, key_id: '', model: 'gpt-4o' },
  { ...failing, channel_id: 2, key_id: 'b'.repeat(16) },
]

const working = { status: 1, reason: '', status_time: 0, cooldowns: [] } satisfies Partial<ChannelKey>
const oddities: Readonly<Record<number, Partial<ChannelKey>>> = {
  1: { cooldowns: [limited] },
  2: {
    status: 3,
    reason: 'status code 401: Incorrect API key provided. You can find your API key in your account.',
    status_time: 1_795_267_000,
  },
  3: { status: 2, tail: '' },
  4: { cooldowns: [{ ...failing, model: 'gpt-4o-mini' }, silent] },
}

/** A hundred keys in every state. */
export const keys: readonly ChannelKey[] = Array.from({ length: 100 }, (_, place) => {
  const id = place === 1 ? 'b'.repeat(16) : place.toString(16).padStart(16, '0')
  const usual = { id, position: place + 1, tail: (place * 79_190 + 409_600).toString(36), ...working }
  return { ...usual, ...oddities[place] }
})

const asked: ExplainedChannel = {
  channel_id: 1,
  name: 'Main account',
  type: 1,
  priority: 10,
  weight: 5,
  share: 15 / 28,
  chance: 15,
  chances: 28,
  verdict: 'eligible',
  cooldown: null,
  upstream_model: 'gpt-4o',
  keys_usable: 4,
  keys: 5,
}
const others: readonly Partial<ExplainedChannel>[] = [
  { name: 'Second account of the research department', weight: 3, share: 13 / 28, chance: 13, keys_usable: 1, keys: 1 },
  { name: 'Rented', share: 0, verdict: 'limited', cooldown: limited },
  { name: 'Old account', priority: 0, share: 1, chances: 15, upstream_model: 'openai/gpt-4o-2024-11-20' },
  { name: 'Own server', priority: 0, share: 0, verdict: 'cooldown', cooldown: failing, keys_usable: 1, keys: 1 },
  { name: 'Library', priority: -5, share: 0, verdict: 'unsupported' },
  { name: 'Small', priority: -5, share: 0, verdict: 'prompt_too_long' },
  { name: 'Shared with the other office', priority: -5, share: 0, verdict: 'at_capacity' },
  { name: 'Pool', priority: -5, share: 0, verdict: 'no_key', keys_usable: 0, keys: 12 },
]

/** Channels with every verdict, in three tiers, and two that are disabled. */
export const explanation: RoutingExplanation = {
  group: 'default',
  model: 'gpt-4o',
  refusal: '',
  refusal_code: '',
  tries: 3,
  channels: [asked, ...others.map((part, place) => ({ ...asked, channel_id: place + 2, ...part }))],
  off: [
    { channel_id: 20, name: 'Trial', status: 3, reason: 'status code 401: key was revoked' },
    { channel_id: 21, name: 'By hand', status: 2, reason: '' },
  ],
}

/** No channel may serve the request. */
export const refused: RoutingExplanation = {
  ...explanation,
  refusal: 'No available channel for model gpt-4o under group default',
  channels: explanation.channels.filter(({ verdict }) => verdict !== 'eligible'),
}

/** Only a price is missing. */
export const unpriced: RoutingExplanation = {
  ...explanation,
  refusal: 'No price is set for the model gpt-4o.',
  refusal_code: 'model_price_error',
}
