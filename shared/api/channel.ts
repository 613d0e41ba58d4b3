import { z } from 'zod'
import { call } from './call.ts'
import { consistency } from './channel-consistency.ts'
import {
  idParams,
  ids,
  jsonObjectText,
  nameText,
  pageIndex,
  pageSize,
  queryFlag,
  queryNumber,
  queryOneOf,
  querySort,
  queryText,
  text,
} from './fields.ts'
import { dryRun, modelPrice, unsavedChannel } from './unsaved-channel.ts'
import { verdictCodes } from './verdict.ts'

/** A channel as administrators see it: everything but its key (docs/reference/channels.md#fields). */
const channelView = z
  .object({
    id: z.int(),
    type: z.int(),
    openai_organization: z.string(),
    test_model: z.string(),
    status: z.int(),
    name: z.string(),
    weight: z.int(),
    created_time: z.int(),
    test_time: z.int(),
    response_time: z.int().describe('Milliseconds; 0 is untested.'),
    test_code: z
      .enum(['', ...verdictCodes])
      .describe('Result of the last test; empty if there was none or it was not recorded.'),
    test_status: z
      .int()
      .describe('The HTTP status with which the provider refused the last test; 0 if there was none.'),
    test_message: z.string().describe("The error of the last test: the provider's message if it sent one."),
    base_url: z.string(),
    other: z.string(),
    balance: z.number().describe('US dollars.'),
    balance_updated_time: z.int().describe('Unix seconds; 0 if the provider was never queried.'),
    models: z.string(),
    group: z.string(),
    used_quota: z.int(),
    model_mapping: z.string(),
    max_input_tokens: z.int(),
    status_code_mapping: z.string(),
    priority: z.int(),
    auto_ban: z.int(),
    other_info: z
      .string()
      .describe('JSON text with status_reason and status_time, if the system disabled the channel.'),
    tag: z.string().nullable(),
    setting: z.string(),
    param_override: z.string(),
    key_count: z.int().describe('Number of keys of the channel.'),
  })
  .meta({ id: 'Channel' })
export type ChannelView = z.infer<typeof channelView>

const integer = z.int().min(-1_000_000_000).max(1_000_000_000)
export const weight = integer.describe('A negative weight counts as 0.').transform((given) => Math.max(0, given))
/**
 * Names joined by commas, or an array. Other values come from clients that submit a form twice, and the error advises
 * against that.
 */
const modelNames = z.union(
  [
    text(200_000),
    z
      .array(text(200_000))
      .max(10_000)
      .transform((names) => names.join(','))
      .pipe(text(200_000)),
  ],
  { error: 'channel.resubmit' },
)
const channelFields = z.object({
  type: z.int().min(0).max(10_000),
  key: z.string().max(200_000),
  openai_organization: text(200).nullish(),
  test_model: text(255).nullish(),
  name: nameText(200),
  weight: weight.nullish(),
  base_url: text(2000).nullish(),
  other: text(10_000).nullish(),
  models: modelNames,
  group: nameText(2000),
  groups: z.array(nameText(64)).max(100).optional().describe('Accepted in addition to group, for compatible clients.'),
  model_mapping: jsonObjectText().nullish(),
  max_input_tokens: integer.min(0).nullish(),
  status_code_mapping: jsonObjectText().nullish(),
  priority: integer.nullish(),
  auto_ban: z.union([z.literal(0), z.literal(1)]).nullish(),
  tag: nameText(64).nullish(),
  setting: jsonObjectText().nullish(),
  param_override: jsonObjectText().nullish(),
  key_mode: z
    .enum(['split', 'pool'])
    .optional()
    .describe('Whether several keys become one channel each (default for new channels) or a pool in one channel.'),
})
const newChannel = channelFields.partial().extend({
  copy_from: z.int().positive().optional().describe('A channel from which the key and all missing fields are copied.'),
})
const channelChange = channelFields.partial().extend({
  id: z.int().positive(),
  status: z.int().optional(),
})
const tagChange = z.object({
  tag: text(64).default(''),
  new_tag: nameText(64).nullish(),
  model_mapping: jsonObjectText().nullish(),
  models: modelNames.nullish(),
  groups: z
    .union([
      text(2000),
      z
        .array(text(64))
        .max(100)
        .transform((names) => names.join(',')),
    ])
    .nullish(),
  priority: integer.nullish(),
  weight: weight.nullish(),
})
export type NewChannel = z.output<typeof newChannel>
export type ChannelChange = z.output<typeof channelChange>
export type TagChange = z.output<typeof tagChange>

export const channelSorts = [
  'id',
  'name',
  'priority',
  'weight',
  'used_quota',
  'balance',
  'response_time',
  'test_time',
] as const
export type ChannelSort = z.output<ReturnType<typeof querySort<(typeof channelSorts)[number]>>>

/** Enabled channels in trouble: in a cooldown, or failing, which includes a failed last test. */
export const channelTroubles = ['cooling', 'failing'] as const

const counted = z.object({
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
  type_counts: z.record(z.string(), z.int()),
})
const tagBody = z.object({ tag: text(64).default('') })

export const channel = {
  list: call({
    method: 'GET',
    path: '/api/channel',
    summary: 'Lists the channels.',
    access: 'admin',
    query: z.object({
      p: pageIndex,
      page_size: pageSize,
      id_sort: queryFlag(),
      tag_mode: queryFlag(),
      sort: querySort(channelSorts),
      type: queryNumber(-1),
      status: queryNumber(0),
      trouble: queryOneOf(channelTroubles).optional(),
    }),
    answer: z.array(channelView),
    extras: counted,
  }),
  search: call({
    method: 'GET',
    path: '/api/channel/search',
    summary: 'Finds channels by keyword, group and model.',
    access: 'admin',
    query: z.object({
      keyword: queryText(),
      group: queryText(),
      model: queryText(),
      id_sort: queryFlag(),
      tag_mode: queryFlag(),
      sort: querySort(channelSorts),
      trouble: queryOneOf(channelTroubles).optional(),
      limit: queryNumber(0).optional().describe('Max number of matches; 0 is unlimited.'),
    }),
    answer: z.array(channelView),
  }),
  models: call({
    method: 'GET',
    path: '/api/channel/models',
    summary: 'Lists the names of the models that the gateway knows.',
    access: 'admin',
    answer: z.array(
      z.looseObject({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() }),
    ),
  }),
  enabledModels: call({
    method: 'GET',
    path: '/api/channel/models_enabled',
    summary: 'Lists the models that enabled channels offer.',
    access: 'admin',
    answer: z.array(z.string()),
  }),
  one: call({
    method: 'GET',
    path: '/api/channel/:id',
    summary: 'Returns one channel, without its key.',
    access: 'admin',
    params: idParams,
    answer: channelView,
  }),
  create: call({
    method: 'POST',
    path: '/api/channel',
    summary: 'Creates a channel, or one for each key.',
    access: 'admin',
    body: newChannel,
    answer: z.null(),
  }),
  update: call({
    method: 'PUT',
    path: '/api/channel',
    summary: 'Changes the fields of a channel that are present in the body.',
    access: 'admin',
    body: channelChange,
    answer: channelView,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/channel/:id',
    summary: 'Deletes a channel.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  removeDisabled: call({
    method: 'DELETE',
    path: '/api/channel/disabled',
    summary: 'Deletes all disabled channels, and returns their number.',
    access: 'admin',
    answer: z.int(),
  }),
  removeMany: call({
    method: 'POST',
    path: '/api/channel/batch',
    summary: 'Deletes several channels, and returns the number of deleted channels.',
    access: 'admin',
    body: z.object({ ids }),
    answer: z.int(),
  }),
  tagMany: call({
    method: 'POST',
    path: '/api/channel/batch/tag',
    summary: 'Sets the tag of several channels, and returns the number of changed channels.',
    access: 'admin',
    body: z.object({ ids, tag: nameText(64).nullable() }),
    answer: z.int(),
  }),
  enableTag: call({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    summary: 'Enables all channels with a tag.',
    access: 'admin',
    body: tagBody,
    answer: z.null(),
  }),
  disableTag: call({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    summary: 'Disables all channels with a tag.',
    access: 'admin',
    body: tagBody,
    answer: z.null(),
  }),
  updateTag: call({
    method: 'PUT',
    path: '/api/channel/tag',
    summary: 'Changes all channels with a tag.',
    access: 'admin',
    body: tagChange,
    answer: z.null(),
  }),
  tagModels: call({
    method: 'GET',
    path: '/api/channel/tag/models',
    summary: 'Returns the models of the channel that has most models among those with a tag, separated by commas.',
    access: 'admin',
    query: z.object({ tag: queryText() }),
    answer: z.string(),
  }),
  fix: call({
    method: 'POST',
    path: '/api/channel/fix',
    summary: 'Compares the routing with the database, repairs differences, and returns the number of checked channels.',
    access: 'admin',
    answer: z.int(),
    extras: consistency,
  }),
  test: call({
    method: 'GET',
    path: '/api/channel/test/:id',
    summary: 'Tests a channel with one short request, and returns its duration.',
    access: 'admin',
    onDemo: 'closed',
    params: idParams,
    query: z.object({ model: queryText() }),
    answer: z.null(),
    extras: z.object({ time: z.number().describe('Seconds.'), code: z.enum(verdictCodes) }),
    failureHasFields: true,
  }),
  testAll: call({
    method: 'GET',
    path: '/api/channel/test',
    summary: 'Starts a test of all channels in the background.',
    access: 'admin',
    onDemo: 'closed',
    answer: z.null(),
  }),
  balance: call({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    summary: "Queries the provider of a channel for the account's balance.",
    access: 'admin',
    onDemo: 'closed',
    params: idParams,
    answer: z.null(),
    extras: z.object({ balance: z.number().describe('US dollars.') }),
  }),
  balances: call({
    method: 'GET',
    path: '/api/channel/update_balance',
    summary: 'Starts an update of all balances in the background.',
    access: 'admin',
    onDemo: 'closed',
    answer: z.null(),
  }),
  fetchModels: call({
    method: 'POST',
    path: '/api/channel/fetch_models',
    summary: 'Queries a provider for the models of an account that is not stored.',
    access: 'admin',
    body: z.object({
      base_url: text(2000).default(''),
      type: z.int(),
      key: z.string().max(200_000).default(''),
    }),
    answer: z.array(z.string()),
  }),
  vendors: call({
    method: 'GET',
    path: '/api/channel/vendors',
    summary: 'Lists the ids of the channel types that support chat.',
    access: 'admin',
    answer: z.array(z.int()),
  }),
  probe: call({
    method: 'POST',
    path: '/api/channel/probe',
    summary: 'Tests an account before it is stored: its model list, a plain call, a stream and a tool call.',
    access: 'admin',
    body: unsavedChannel,
    answer: dryRun,
  }),
  prices: call({
    method: 'POST',
    path: '/api/channel/prices',
    summary: 'Returns the prices of models in US dollars.',
    access: 'admin',
    onDemo: 'open',
    body: z.object({ models: z.array(text(255)).max(10_000) }),
    answer: z.array(modelPrice),
  }),
  fetchOwnModels: call({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    summary: "Queries the provider of a channel for the account's models.",
    access: 'admin',
    onDemo: 'closed',
    params: idParams,
    answer: z.array(z.string()),
  }),
  upstreamSeen: call({
    method: 'GET',
    path: '/api/channel/test_upstream/:id',
    summary: 'Lists the clients that a channel has served.',
    access: 'admin',
    params: idParams,
    answer: z.array(
      z.object({ group: z.string(), client_types: z.array(z.string()), first_seen: z.int(), last_seen: z.int() }),
    ),
  }),
}
