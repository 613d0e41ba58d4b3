import { z } from 'zod'
import { call } from './call.ts'
import { pageNumber, pageSize, queryEither, queryNumber, querySort, queryText } from './fields.ts'

/** A row of the usage log (docs/reference/logs.md#rows); `other` is JSON text: the receipt of a charge, and further facts. */
export const logView = z
  .object({
    id: z.int(),
    user_id: z.int(),
    created_at: z.int(),
    type: z.int(),
    content: z.string(),
    username: z.string(),
    token_name: z.string(),
    model_name: z.string(),
    quota: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    use_time: z.int().describe('Whole seconds.'),
    is_stream: z.boolean(),
    channel: z.int().describe("Channel id; 0 in a user's own view."),
    channel_name: z.string(),
    token_id: z.int(),
    group: z.string(),
    ip: z.string(),
    other: z.string(),
  })
  .meta({ id: 'LogRow' })
export type LogView = z.infer<typeof logView>

const own = {
  type: queryNumber(),
  token_name: queryText(),
  model_name: queryText(),
  start_timestamp: queryNumber(),
  end_timestamp: queryNumber(),
  group: queryText(),
  token_id: queryNumber().optional(),
  token_contains: queryText().optional(),
  model_contains: queryText().optional(),
  group_contains: queryText().optional(),
  stream: queryEither().optional(),
  request_id: queryText().optional(),
}
const all = {
  ...own,
  username: queryText(),
  username_contains: queryText().optional(),
  channel: queryNumber(),
  retried: queryEither().optional(),
  failed_on: queryNumber(),
}
const format = { format: z.enum(['csv', 'json']).default('csv') }
const sent = ['text/csv', 'application/json'] as const
/** The columns that sort the usage log, among the newest 50,000 matching rows. */
export const logSorts = ['quota', 'prompt_tokens', 'completion_tokens'] as const
export type LogSort = '' | (typeof logSorts)[number] | `-${(typeof logSorts)[number]}`

const paged = { sort: querySort(logSorts), p: pageNumber, page_size: pageSize }
const logPage = z
  .object({
    items: z.array(logView),
    total: z.int().describe('Counted up to 10,000.'),
    has_more: z.boolean().describe('There are more rows than total.'),
    page: z.int(),
    page_size: z.int(),
  })
  .meta({ id: 'LogPage' })
const namedPage = logPage
  .extend({
    channel_names: z
      .record(z.string(), z.string())
      .describe('Current names, by id, of the channels in the rows; deleted channels are missing.'),
  })
  .meta({ id: 'NamedLogPage' })
/** The newest 100 matching rows; `complete` unless some rows are too old to be searched. */
const found = { answer: z.array(logView), extras: z.object({ complete: z.boolean() }) }
/** Sums over the filters; `rpm` and `tpm` over the last 60 seconds (docs/reference/logs.md#sums). */
const stat = z.object({ quota: z.int(), token: z.int(), rpm: z.int(), tpm: z.int() }).meta({ id: 'LogSums' })

/** The progress of clearing the log, and how many rows it would delete. */
const logClearing = z
  .object({
    total: z.int().describe('Rows before the time, counted up to 1,000,000.'),
    has_more: z.boolean().describe('There are more rows than total.'),
    running: z.object({ before: z.int(), removed: z.int() }).nullable(),
  })
  .meta({ id: 'LogClearing' })
export type LogClearing = z.infer<typeof logClearing>

export const log = {
  list: call({
    method: 'GET',
    path: '/api/log',
    summary: 'Lists the usage log of all accounts, newest first.',
    access: 'admin',
    query: z.object({ ...all, ...paged }),
    answer: namedPage,
  }),
  own: call({
    method: 'GET',
    path: '/api/log/self',
    summary: 'Lists your own usage log, newest first.',
    access: 'user',
    query: z.object({ ...own, ...paged }),
    answer: logPage,
  }),
  export: call({
    method: 'GET',
    path: '/api/log/export',
    summary: 'Returns the usage log of all accounts as a file, newest first. An account may export one file at a time.',
    access: 'admin',
    query: z.object({ ...all, ...format }),
    sendsFile: sent,
    answer: z.array(logView),
  }),
  exportOwn: call({
    method: 'GET',
    path: '/api/log/self/export',
    summary: 'Returns your own usage log as a file, newest first. An account may export one file at a time.',
    access: 'user',
    query: z.object({ ...own, ...format }),
    sendsFile: sent,
    answer: z.array(logView),
  }),
  stat: call({
    method: 'GET',
    path: '/api/log/stat',
    summary: 'Returns the total usage of all accounts.',
    access: 'admin',
    query: z.object(all),
    answer: stat,
  }),
  ownStat: call({
    method: 'GET',
    path: '/api/log/self/stat',
    summary: 'Returns your own total usage.',
    access: 'user',
    query: z.object(own),
    answer: stat,
  }),
  search: call({
    method: 'GET',
    path: '/api/log/search',
    summary: 'Finds the newest 100 rows of the usage log that match a keyword.',
    access: 'admin',
    query: z.object({ keyword: queryText() }),
    ...found,
  }),
  ownSearch: call({
    method: 'GET',
    path: '/api/log/self/search',
    summary: 'Finds the newest 100 rows of your own usage log that match a keyword.',
    access: 'user',
    query: z.object({ keyword: queryText() }),
    ...found,
  }),
  ofToken: call({
    method: 'GET',
    path: '/api/log/token',
    summary: 'Lists the newest rows of one of your tokens, found by its key.',
    access: 'user',
    query: z.object({ key: queryText() }),
    answer: z.array(logView),
  }),
  clear: call({
    method: 'DELETE',
    path: '/api/log',
    summary: 'Deletes rows of the usage log before a time.',
    access: 'admin',
    query: z.object({ target_timestamp: queryNumber() }),
    answer: z.int(),
  }),
  clearing: call({
    method: 'GET',
    path: '/api/log/clearing',
    summary: 'Returns the progress of the deletion of old rows, and the number of rows before a time.',
    access: 'admin',
    query: z.object({ target_timestamp: queryNumber() }),
    answer: logClearing,
  }),
}
