import { z } from 'zod'
import { call } from './call.ts'
import { pageIndex, pageSize, queryNumber, queryText } from './fields.ts'

/** A Midjourney drawing (docs/reference/tasks.md#lists). */
const drawingView = z
  .object({
    id: z.int(),
    created_at: z.int().describe('Unix seconds.'),
    user_id: z.int(),
    code: z.int().describe("The code of the proxy's response: 1 submitted, 21 exists already, 22 queued."),
    action: z.string(),
    mj_id: z.string(),
    prompt: z.string(),
    prompt_en: z.string(),
    description: z.string(),
    state: z.string(),
    submit_time: z.int().describe('Milliseconds, like the two following fields; 0 means not yet.'),
    start_time: z.int(),
    finish_time: z.int(),
    image_url: z.string().describe('A signed link to the image at this gateway, if images are forwarded.'),
    video_urls: z.array(z.string()).describe('Links to the videos, like that to the image.'),
    status: z.string(),
    progress: z.string(),
    fail_reason: z.string(),
    channel_id: z.int().describe("0 in a user's own view."),
    quota: z.int(),
    buttons: z.string(),
    properties: z.string(),
  })
  .meta({ id: 'Drawing' })
export type DrawingView = z.infer<typeof drawingView>

/** Any other task (docs/reference/tasks.md#lists). */
const taskView = z
  .object({
    id: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
    task_id: z.string(),
    platform: z.string(),
    user_id: z.int(),
    channel_id: z.int().optional().describe('For administrators only.'),
    quota: z.int(),
    action: z.string(),
    status: z.string(),
    fail_reason: z.string(),
    submit_time: z.int().describe('Unix seconds, like the two following fields; 0 means not yet.'),
    start_time: z.int(),
    finish_time: z.int(),
    progress: z.string(),
    properties: z.object({ input: z.string() }),
    data: z.unknown().describe('The result, as reported by the provider.'),
  })
  .meta({ id: 'Task' })
export type TaskView = z.infer<typeof taskView>

const page = z.object({
  total: z.int().describe('Counted up to 10,000.'),
  has_more: z.boolean().describe('There are more rows than total.'),
  page: z.int(),
  page_size: z.int(),
})
const paged = { p: pageIndex, page_size: pageSize }
/**
 * Submission time in the unit of the rows (milliseconds for drawings, seconds for other tasks), both ends included; 0
 * and invalid values are open.
 */
const span = { start_timestamp: queryNumber(), end_timestamp: queryNumber() }
const drawings = { mj_id: queryText(), ...span, ...paged }
const tasks = {
  task_id: queryText(),
  platform: queryText(),
  action: queryText(),
  status: queryText(),
  ...span,
  ...paged,
}

export const drawing = {
  list: call({
    method: 'GET',
    path: '/api/mj',
    summary: 'Lists the drawings of all accounts, newest first.',
    access: 'admin',
    query: z.object({ ...drawings, channel_id: queryNumber() }),
    answer: z.array(drawingView),
    extras: page,
  }),
  own: call({
    method: 'GET',
    path: '/api/mj/self',
    summary: 'Lists your own drawings, newest first.',
    access: 'user',
    query: z.object(drawings),
    answer: z.array(drawingView),
    extras: page,
  }),
}

export const task = {
  list: call({
    method: 'GET',
    path: '/api/task',
    summary: 'Lists the tasks of all accounts, newest first.',
    access: 'admin',
    query: z.object({ ...tasks, channel_id: queryNumber() }),
    answer: z.array(taskView),
    extras: page,
  }),
  own: call({
    method: 'GET',
    path: '/api/task/self',
    summary: 'Lists your own tasks, newest first.',
    access: 'user',
    query: z.object(tasks),
    answer: z.array(taskView),
    extras: page,
  }),
}
