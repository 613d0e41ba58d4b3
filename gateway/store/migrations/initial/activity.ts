import { oneOf, primaryKey, type SqlDialect, type Tables, uniqueKey } from '../column.ts'

/** The log, usage by hour, drawings and tasks. */
export const activityTables: Tables = {
  logs: ({ rowId, whole, text }) => [
    rowId,
    whole('user_id'),
    whole('created_at'),
    whole('type', undefined, oneOf(1, 2, 3, 4, 5)),
    text('content', ''),
    text('username', ''),
    text('token_name', ''),
    text('model_name', ''),
    whole('quota', 0),
    whole('prompt_tokens', 0),
    whole('completion_tokens', 0),
    whole('use_time', 0),
    whole('is_stream', 0, oneOf(0, 1)),
    whole('channel_id', 0),
    whole('token_id', 0),
    text('group', ''),
    text('ip', ''),
    text('other', ''),
    text('request_id', ''),
    whole('retries', 0),
  ],
  quota_data: ({ id, whole, text }) => [
    id,
    whole('user_id'),
    text('username', ''),
    text('model_name', ''),
    whole('created_at'),
    whole('token_used', 0),
    whole('count', 0),
    whole('quota', 0),
    uniqueKey('quota_data_hour', 'user_id', 'username', 'model_name', 'created_at'),
  ],
  usage_hours: ({ whole, text, withoutRowId }) => [
    text('kind'),
    whole('created_at'),
    text('subject'),
    whole('count', 0),
    whole('errors', 0),
    whole('quota', 0),
    whole('token_used', 0),
    primaryKey('usage_hours_key', 'kind', 'created_at', 'subject'),
    withoutRowId,
  ],
  latency_hours: ({ whole, text, withoutRowId }) => [
    text('measure'),
    whole('created_at'),
    whole('bucket'),
    whole('count', 0),
    primaryKey('latency_hours_key', 'measure', 'created_at', 'bucket'),
    withoutRowId,
  ],
  midjourneys: ({ id, whole, text }) => [
    id,
    whole('code', 0),
    whole('user_id'),
    text('action', ''),
    text('mj_id', ''),
    text('prompt', ''),
    text('prompt_en', ''),
    text('description', ''),
    text('state', ''),
    whole('submit_time', 0),
    whole('start_time', 0),
    whole('finish_time', 0),
    text('image_url', ''),
    text('status', ''),
    text('progress', ''),
    text('fail_reason', ''),
    whole('channel_id', 0),
    whole('quota', 0),
    text('buttons', ''),
    text('properties', ''),
    whole('token_id', 0),
    text('request_id', ''),
    text('key_id', ''),
    text('video_urls', ''),
  ],
  tasks: ({ id, whole, text }) => [
    id,
    whole('created_at'),
    whole('updated_at'),
    text('task_id', ''),
    text('platform', ''),
    whole('user_id'),
    whole('channel_id', 0),
    whole('quota', 0),
    text('action', ''),
    text('status', ''),
    text('fail_reason', ''),
    whole('submit_time', 0),
    whole('start_time', 0),
    whole('finish_time', 0),
    text('progress', ''),
    text('properties', ''),
    text('data', ''),
    whole('token_id', 0),
    text('request_id', ''),
    text('key_id', ''),
  ],
}

export const activityIndexes = [
  'index quota_data_time on quota_data (created_at)',
  'index quota_data_user on quota_data (user_id, created_at)',
  'index midjourneys_of_user on midjourneys (user_id, id)',
  'index midjourneys_of_user_by_task on midjourneys (user_id, mj_id, id)',
  'index midjourneys_task on midjourneys (mj_id)',
  `index midjourneys_unfinished on midjourneys (id) where progress <> '100%'`,
  `index midjourneys_unfinished_of_user on midjourneys (user_id, submit_time, quota) where progress <> '100%'`,
  'index midjourneys_user on midjourneys (user_id, submit_time)',
  'index tasks_of_user on tasks (user_id, id)',
  'index tasks_of_user_by_task on tasks (user_id, task_id, id)',
  'index tasks_task on tasks (task_id)',
  `index tasks_unfinished on tasks (id) where progress <> '100%'`,
  'index tasks_user on tasks (user_id, submit_time)',
] as const

/**
 * The log's indexes are ordered by id, like its lists, except the one ordered by time. On SQLite they contain every
 * column that a filter or sum reads: a filter without a match then reads some 70 bytes per row and never the row
 * itself. On PostgreSQL index entries have a maximum length, which a made-up model name could exceed.
 */
export const logIndexes = (dialect: SqlDialect): readonly string[] =>
  dialect === 'postgres'
    ? ['index logs_of_user on logs (user_id, id)', 'index logs_time on logs (created_at, type)']
    : [
        `index logs_of_user on logs (user_id, id, type, created_at, ${SUMS}, token_id, is_stream, ${TEXTS})`,
        `index logs_in_order on logs (id, type, created_at, user_id, ${SUMS}, channel_id, is_stream, retries, ${TEXTS}, username)`,
        `index logs_time on logs (created_at, type, id, user_id, ${SUMS}, channel_id, is_stream, retries, ${TEXTS}, username)`,
      ]

const SUMS = 'quota, prompt_tokens, completion_tokens'
const TEXTS = 'model_name, token_name, "group"'
