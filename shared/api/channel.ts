import { z } from 'zod'
import { call } from './call.ts'
import {
  idParams,
  ids,
  jsonObjectText,
  pageIndex,
  pageSize,
  queryFlag,
  queryNumber,
  queryText,
  text,
} from './fields.ts'

/** A channel as administrators see it: everything but its key (spec/console.md §4.4). */
export const channelView = z.object({
  id: z.number(),
  type: z.number(),
  openai_organization: z.string(),
  test_model: z.string(),
  status: z.number(),
  name: z.string(),
  weight: z.number(),
  created_time: z.number(),
  test_time: z.number(),
  /** Milliseconds; 0 is untested. */
  response_time: z.number(),
  base_url: z.string(),
  other: z.string(),
  /** US dollars. */
  balance: z.number(),
  balance_updated_time: z.number(),
  models: z.string(),
  group: z.string(),
  used_quota: z.number(),
  model_mapping: z.string(),
  max_input_tokens: z.number(),
  status_code_mapping: z.string(),
  priority: z.number(),
  auto_ban: z.number(),
  /** JSON text with `status_reason` and `status_time` once the system has disabled the channel. */
  other_info: z.string(),
  tag: z.string().nullable(),
  setting: z.string(),
  param_override: z.string(),
  /** How many keys the channel has. */
  key_count: z.number(),
})
export type ChannelView = z.infer<typeof channelView>

const whole = z.number().int().min(-1_000_000_000).max(1_000_000_000)
const channelFields = z.object({
  type: z.number().int().min(0).max(10_000),
  key: z.string().max(200_000),
  openai_organization: text(200).nullish(),
  test_model: text(255).nullish(),
  name: text(200),
  weight: whole.min(0).nullish(),
  base_url: text(2000).nullish(),
  other: text(10_000).nullish(),
  models: text(200_000),
  group: text(2000),
  /** Accepted beside `group` for the family's clients. */
  groups: z.array(text(64)).max(100).optional(),
  model_mapping: jsonObjectText().nullish(),
  max_input_tokens: whole.min(0).nullish(),
  status_code_mapping: jsonObjectText().nullish(),
  priority: whole.nullish(),
  auto_ban: z.union([z.literal(0), z.literal(1)]).nullish(),
  tag: text(64).nullish(),
  setting: jsonObjectText().nullish(),
  param_override: jsonObjectText().nullish(),
  /** What several keys are: a channel each (only for new channels, and what is meant there unless said), or all one channel's. */
  key_mode: z.enum(['split', 'pool']).optional(),
})
const newChannel = channelFields.partial().extend({
  /** The channel whose key (and every field left out) is taken over. */
  copy_from: z.number().int().positive().optional(),
})
const channelChange = channelFields.partial().extend({
  id: z.number().int().positive(),
  status: z.number().int().optional(),
})
const tagChange = z.object({
  tag: text(64).default(''),
  new_tag: text(64).nullish(),
  model_mapping: jsonObjectText().nullish(),
  models: text(200_000).nullish(),
  groups: z
    .union([
      text(2000),
      z
        .array(text(64))
        .max(100)
        .transform((names) => names.join(',')),
    ])
    .nullish(),
  priority: whole.nullish(),
  weight: whole.min(0).nullish(),
})
export type NewChannel = z.output<typeof newChannel>
export type ChannelChange = z.output<typeof channelChange>
export type TagChange = z.output<typeof tagChange>

const counted = z.object({
  total: z.number(),
  page: z.number(),
  page_size: z.number(),
  type_counts: z.record(z.string(), z.number()),
})
/** What a look over the database found; each is a number of rows or channels. */
const consistency = z.object({
  /** Channels that were routed otherwise than their rows say. */
  rerouted: z.number(),
  /** States of keys that no channel has. */
  keys: z.number(),
  /** Notes on clients of channels that there are not. */
  seen: z.number(),
  /** API tokens of users who were deleted. */
  tokens: z.number(),
  /** Channels whose stored key cannot be opened; a new one has to be entered. */
  unreadable: z.number(),
})
export type Consistency = z.infer<typeof consistency>

const tagBody = z.object({ tag: text(64).default('') })

/** What came of one question to a vendor; each reads differently and says what to do (design/product.md, first minutes). */
export const verdictCodes = [
  'ok',
  'bad_key',
  'bad_path',
  'no_model',
  'no_credit',
  'rate_limited',
  'timeout',
  'unreachable',
  'unreadable',
  'no_list',
  'no_tool_call',
  'failed',
] as const
export const verdict = z.object({
  ok: z.boolean(),
  /** From sending to the whole answer; 0 where nothing was sent. */
  ms: z.number(),
  code: z.enum(verdictCodes),
  /** The vendor's own words where it said why; no key and no address in them. */
  message: z.string(),
})
export type Verdict = z.infer<typeof verdict>
export type VerdictCode = Verdict['code']

/** A vendor's account that is not stored yet. */
const unsavedChannel = z.object({
  type: z.number().int().min(0).max(10_000),
  key: z.string().max(200_000),
  base_url: text(2000).default(''),
  other: text(10_000).default(''),
  models: z.array(text(255)).max(10_000).default([]),
  /** Asked instead of the first that fits. */
  model: text(255).default(''),
})
export type UnsavedChannel = z.output<typeof unsavedChannel>

const dryRun = z.object({
  /** The exact address of a chat call. */
  url: z.string(),
  /** The address as it should be stored. */
  base_url: z.string(),
  /** The model the three questions were asked of. */
  model: z.string(),
  models: z.array(z.string()),
  list: verdict,
  plain: verdict,
  stream: verdict,
  tool: verdict,
})
export type DryRun = z.infer<typeof dryRun>

/** US dollars a million tokens, or a call where `fixed` is set; all null where nobody has set a price. */
const modelPrice = z.object({
  model: z.string(),
  input: z.number().nullable(),
  output: z.number().nullable(),
  fixed: z.number().nullable(),
})
export type ModelPrice = z.infer<typeof modelPrice>

export const channel = {
  list: call({
    method: 'GET',
    path: '/api/channel',
    access: 'admin',
    query: z.object({
      p: pageIndex,
      page_size: pageSize,
      id_sort: queryFlag(),
      tag_mode: queryFlag(),
      type: queryNumber(-1),
      status: queryNumber(0),
    }),
    answer: z.array(channelView),
    beside: counted,
  }),
  search: call({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    query: z.object({
      keyword: queryText(),
      group: queryText(),
      model: queryText(),
      id_sort: queryFlag(),
      tag_mode: queryFlag(),
    }),
    answer: z.array(channelView),
  }),
  models: call({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    answer: z.array(
      z.looseObject({ id: z.string(), object: z.literal('model'), created: z.number(), owned_by: z.string() }),
    ),
  }),
  enabledModels: call({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    answer: z.array(z.string()),
  }),
  one: call({ method: 'GET', path: '/api/channel/:id', access: 'admin', params: idParams, answer: channelView }),
  create: call({ method: 'POST', path: '/api/channel', access: 'admin', body: newChannel, answer: z.null() }),
  update: call({ method: 'PUT', path: '/api/channel', access: 'admin', body: channelChange, answer: channelView }),
  remove: call({ method: 'DELETE', path: '/api/channel/:id', access: 'admin', params: idParams, answer: z.null() }),
  removeDisabled: call({ method: 'DELETE', path: '/api/channel/disabled', access: 'admin', answer: z.number() }),
  removeMany: call({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    body: z.object({ ids }),
    answer: z.number(),
  }),
  tagMany: call({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    body: z.object({ ids, tag: text(64).nullable() }),
    answer: z.number(),
  }),
  enableTag: call({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    body: tagBody,
    answer: z.null(),
  }),
  disableTag: call({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    body: tagBody,
    answer: z.null(),
  }),
  updateTag: call({ method: 'PUT', path: '/api/channel/tag', access: 'admin', body: tagChange, answer: z.null() }),
  tagModels: call({
    method: 'GET',
    path: '/api/channel/tag/models',
    access: 'admin',
    query: z.object({ tag: queryText() }),
    answer: z.string(),
  }),
  /** Answers how many channels were checked; beside it what was mended, and what a person has to. */
  fix: call({ method: 'POST', path: '/api/channel/fix', access: 'admin', answer: z.number(), beside: consistency }),
  test: call({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    params: idParams,
    query: z.object({ model: queryText() }),
    answer: z.null(),
    /** Seconds. */
    beside: z.object({ time: z.number() }),
  }),
  testAll: call({ method: 'GET', path: '/api/channel/test', access: 'admin', answer: z.null() }),
  balance: call({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    params: idParams,
    answer: z.null(),
    /** US dollars. */
    beside: z.object({ balance: z.number() }),
  }),
  balances: call({ method: 'GET', path: '/api/channel/update_balance', access: 'admin', answer: z.null() }),
  fetchModels: call({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    body: z.object({
      base_url: text(2000).default(''),
      type: z.number().int(),
      key: z.string().max(200_000).default(''),
    }),
    answer: z.array(z.string()),
  }),
  /** The ids of the types whose chat the relay speaks today. */
  vendors: call({ method: 'GET', path: '/api/channel/vendors', access: 'admin', answer: z.array(z.number()) }),
  /** Tries an account out before it is stored: its models, a plain call, a stream and a tool call. */
  probe: call({
    method: 'POST',
    path: '/api/channel/probe',
    access: 'admin',
    body: unsavedChannel,
    answer: dryRun,
  }),
  prices: call({
    method: 'POST',
    path: '/api/channel/prices',
    access: 'admin',
    body: z.object({ models: z.array(text(255)).max(10_000) }),
    answer: z.array(modelPrice),
  }),
  fetchOwnModels: call({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    params: idParams,
    answer: z.array(z.string()),
  }),
  upstreamSeen: call({
    method: 'GET',
    path: '/api/channel/test_upstream/:id',
    access: 'admin',
    params: idParams,
    answer: z.array(
      z.object({ group: z.string(), client_types: z.array(z.string()), first_seen: z.number(), last_seen: z.number() }),
    ),
  }),
}
