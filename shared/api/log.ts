import { z } from 'zod'
import { call } from './call.ts'
import { pageNumber, pageSize, queryNumber, queryText } from './fields.ts'

/** A row of the usage log (spec/console.md §4.5); `other` is JSON text, the receipt of the request. */
export const logView = z.object({
  id: z.number(),
  user_id: z.number(),
  created_at: z.number(),
  type: z.number(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Whole seconds. */
  use_time: z.number(),
  is_stream: z.boolean(),
  /** Channel id; 0 in a user's own view. */
  channel: z.number(),
  channel_name: z.string(),
  token_id: z.number(),
  group: z.string(),
  ip: z.string(),
  other: z.string(),
})
export type LogView = z.infer<typeof logView>

const own = {
  type: queryNumber(),
  token_name: queryText(),
  model_name: queryText(),
  start_timestamp: queryNumber(),
  end_timestamp: queryNumber(),
  group: queryText(),
}
const all = { ...own, username: queryText(), channel: queryNumber() }
const paged = { p: pageNumber, page_size: pageSize }
const logPage = z.object({
  items: z.array(logView),
  /** Counted up to 10,000. */
  total: z.number(),
  /** There are more rows than `total`. */
  has_more: z.boolean(),
  page: z.number(),
  page_size: z.number(),
})
/** The newest 100 rows that match; `complete` unless there are rows too old to be searched. */
const found = { answer: z.array(logView), beside: z.object({ complete: z.boolean() }) }
/** Sums over the filters; `rpm` and `tpm` over the last 60 seconds (spec/console.md §0 C6). */
const stat = z.object({ quota: z.number(), token: z.number(), rpm: z.number(), tpm: z.number() })

export const log = {
  list: call({
    method: 'GET',
    path: '/api/log',
    access: 'admin',
    query: z.object({ ...all, ...paged }),
    answer: logPage,
  }),
  own: call({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    query: z.object({ ...own, ...paged }),
    answer: logPage,
  }),
  stat: call({ method: 'GET', path: '/api/log/stat', access: 'admin', query: z.object(all), answer: stat }),
  ownStat: call({ method: 'GET', path: '/api/log/self/stat', access: 'user', query: z.object(own), answer: stat }),
  search: call({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    query: z.object({ keyword: queryText() }),
    ...found,
  }),
  ownSearch: call({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    query: z.object({ keyword: queryText() }),
    ...found,
  }),
  ofToken: call({
    method: 'GET',
    path: '/api/log/token',
    access: 'user',
    query: z.object({ key: queryText() }),
    answer: z.array(logView),
  }),
  clear: call({
    method: 'DELETE',
    path: '/api/log',
    access: 'admin',
    query: z.object({ target_timestamp: queryNumber() }),
    answer: z.number(),
  }),
}
