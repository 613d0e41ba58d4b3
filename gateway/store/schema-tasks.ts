import type { Generated, Insertable, Selectable } from 'kysely'

/** Drawings of Midjourney (docs/reference/tasks.md#drawings). */
export interface MidjourneysTable {
  id: Generated<number>
  user_id: number
  /** The token it was charged to; 0 for none. */
  token_id: Generated<number>
  /** The request that submitted it, by which the ledger knows its charge. */
  request_id: Generated<string>
  channel_id: Generated<number>
  /** The fingerprint of the channel's key, where it has several. */
  key_id: Generated<string>
  /** What was charged for it. */
  quota: Generated<number>
  /** What the proxy answered: 1 submitted, 21 there already, 22 queued. */
  code: Generated<number>
  action: Generated<string>
  mj_id: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  description: Generated<string>
  state: Generated<string>
  /** Milliseconds, like the two that follow. */
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  image_url: Generated<string>
  /** JSON: a list of addresses; empty where there is none. */
  video_urls: Generated<string>
  status: Generated<string>
  /** 100% from the moment nothing more is expected of it. */
  progress: Generated<string>
  fail_reason: Generated<string>
  buttons: Generated<string>
  properties: Generated<string>
}

/** Other work that vendors do in the background: music and lyrics of Suno (docs/reference/tasks.md#music). */
export interface TasksTable {
  id: Generated<number>
  user_id: number
  /** The token it was charged to; 0 for none. */
  token_id: Generated<number>
  /** The request that submitted it, by which the ledger knows its charge. */
  request_id: Generated<string>
  channel_id: Generated<number>
  /** The fingerprint of the channel's key, where it has several. */
  key_id: Generated<string>
  /** What was charged for it. */
  quota: Generated<number>
  created_at: number
  updated_at: number
  task_id: Generated<string>
  platform: Generated<string>
  action: Generated<string>
  status: Generated<string>
  fail_reason: Generated<string>
  /** Unix seconds, like the two that follow. */
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  /** 100% from the moment nothing more is expected of it. */
  progress: Generated<string>
  properties: Generated<string>
  data: Generated<string>
}

export type DrawingRow = Selectable<MidjourneysTable>
export type TaskRow = Selectable<TasksTable>
export type NewDrawing = Omit<Insertable<MidjourneysTable>, 'id'>
export type NewTask = Omit<Insertable<TasksTable>, 'id'>
