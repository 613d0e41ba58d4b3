import type { Generated } from 'kysely'

/** Drawings; nothing in this release writes to it. */
export interface MidjourneysTable {
  id: Generated<number>
  code: Generated<number>
  user_id: number
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
  status: Generated<string>
  progress: Generated<string>
  fail_reason: Generated<string>
  channel_id: Generated<number>
  quota: Generated<number>
  buttons: Generated<string>
  properties: Generated<string>
}

/** Work that vendors do in the background; nothing in this release writes to it. */
export interface TasksTable {
  id: Generated<number>
  created_at: number
  updated_at: number
  task_id: Generated<string>
  platform: Generated<string>
  user_id: number
  channel_id: Generated<number>
  quota: Generated<number>
  action: Generated<string>
  status: Generated<string>
  fail_reason: Generated<string>
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  progress: Generated<string>
  properties: Generated<string>
  data: Generated<string>
}
