import type { Generated, Insertable, Selectable } from 'kysely'

/** Drawings of Midjourney (docs/reference/tasks.md#drawings). */
export interface MidjourneysTable {
  id: Generated<number>
  user_id: number
  /** The token that was charged; 0 if none. */
  token_id: Generated<number>
  /** The request that submitted the drawing; the ledger identifies the charge by it. */
  request_id: Generated<string>
  channel_id: Generated<number>
  /** Fingerprint of the channel's key, if it has several. */
  key_id: Generated<string>
  quota: Generated<number>
  /** Result code of the proxy: 1 submitted, 21 already exists, 22 queued. */
  code: Generated<number>
  action: Generated<string>
  mj_id: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  description: Generated<string>
  state: Generated<string>
  /** Milliseconds, like `start_time` and `finish_time`. */
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  image_url: Generated<string>
  /** JSON list of URLs; empty if none. */
  video_urls: Generated<string>
  status: Generated<string>
  /** 100% once no further update is expected. */
  progress: Generated<string>
  fail_reason: Generated<string>
  buttons: Generated<string>
  properties: Generated<string>
}

/** Other asynchronous work of vendors: music and lyrics of Suno (docs/reference/tasks.md#music). */
export interface TasksTable {
  id: Generated<number>
  user_id: number
  /** The token that was charged; 0 if none. */
  token_id: Generated<number>
  /** The request that submitted the task; the ledger identifies the charge by it. */
  request_id: Generated<string>
  channel_id: Generated<number>
  /** Fingerprint of the channel's key, if it has several. */
  key_id: Generated<string>
  quota: Generated<number>
  created_at: number
  updated_at: number
  task_id: Generated<string>
  platform: Generated<string>
  action: Generated<string>
  status: Generated<string>
  fail_reason: Generated<string>
  /** Unix seconds, like `start_time` and `finish_time`. */
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  /** 100% once no further update is expected. */
  progress: Generated<string>
  properties: Generated<string>
  data: Generated<string>
}

export type DrawingRow = Selectable<MidjourneysTable>
export type TaskRow = Selectable<TasksTable>
export type NewDrawing = Omit<Insertable<MidjourneysTable>, 'id'>
export type NewTask = Omit<Insertable<TasksTable>, 'id'>
