import type { Page } from '@playwright/test'
import type { DrawingView, TaskView } from '../../shared/api/task.ts'

/** Stubs a list with these rows; images of drawings have a single colour. */
const lists = (path: RegExp, rows: readonly object[]) => async (page: Page) => {
  const beside = { total: rows.length, has_more: false, page: 0, page_size: 10 }
  await page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data: rows, ...beside } }))
  await page.route(/\/mj\/image\//, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect width="512" height="512" fill="#4c7a9f"/></svg>'

/** A moment in the morning of the furnished console, in milliseconds. */
const MORNING = 1_795_267_800_000

const drawing: DrawingView = {
  id: 1,
  created_at: MORNING / 1000,
  user_id: 2,
  code: 1,
  action: 'IMAGINE',
  mj_id: '1730622718262914',
  prompt: 'a lighthouse on a cliff at dusk, long exposure, waves like silk, film grain --ar 16:9 --v 6.1',
  prompt_en: 'a lighthouse on a cliff at dusk, long exposure, waves like silk, film grain --ar 16:9 --v 6.1',
  description: 'Submit success',
  state: '',
  submit_time: MORNING,
  start_time: MORNING + 2000,
  finish_time: MORNING + 43_000,
  image_url: 'https://gate.test/mj/image/1730622718262914?sig=x',
  video_urls: [
    'https://gate.test/mj/image/1730622718262914?video=0&sig=x',
    'https://gate.test/mj/image/1730622718262914?video=1&sig=x',
  ],
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 3,
  quota: 50_000,
  buttons: '',
  properties: '',
}
const running = { finish_time: 0, image_url: '', video_urls: [], prompt_en: '' }

/** Drawings in every state, of many kinds. */
export const drawings: readonly DrawingView[] = [
  {
    ...drawing,
    ...running,
    id: 9,
    mj_id: '1730622718262922',
    status: 'SUBMITTED',
    code: 22,
    progress: '0%',
    prompt: '猫',
  },
  {
    ...drawing,
    ...running,
    id: 8,
    mj_id: '1730622718262921',
    status: 'IN_PROGRESS',
    progress: '46%',
    action: 'VARIATION',
  },
  {
    ...drawing,
    ...running,
    id: 7,
    mj_id: '1730622718262920',
    status: 'MODAL',
    progress: '0%',
    action: 'INPAINT',
    code: 21,
  },
  { ...drawing, id: 6, mj_id: '1730622718262919', finish_time: MORNING + 187_000, action: 'UPSCALE', channel_id: 12 },
  {
    ...drawing,
    ...running,
    id: 5,
    mj_id: '1730622718262918',
    status: 'FAILURE',
    finish_time: MORNING + 4000,
    fail_reason: 'The prompt was declined by the moderation of the provider. Change its wording and try again.',
    action: 'DESCRIBE',
  },
  {
    ...drawing,
    ...running,
    id: 4,
    mj_id: '',
    status: 'FAILURE',
    code: 24,
    finish_time: MORNING,
    fail_reason: 'Banned prompt',
    action: 'SWAP_FACE',
  },
  { ...drawing, id: 3, action: 'BLEND' },
  { ...drawing, ...running, id: 2, mj_id: '1730622718262915', status: 'NOT_START', progress: '0%', action: 'SHORTEN' },
]

const song: TaskView = {
  id: 1,
  created_at: MORNING / 1000,
  updated_at: MORNING / 1000,
  task_id: 'f1c9a0de-7a0e-4d2b-9f66-2f1f1f8a4c31',
  platform: 'suno',
  user_id: 2,
  channel_id: 4,
  quota: 50_000,
  action: 'MUSIC',
  status: 'SUCCESS',
  fail_reason: '',
  submit_time: MORNING / 1000,
  start_time: MORNING / 1000 + 3,
  finish_time: MORNING / 1000 + 52,
  progress: '100%',
  properties: { input: 'a calm song about the sea' },
  data: [{ id: 'clip-1', title: 'The sea', audio_url: 'https://cdn.test/clip-1.mp3' }],
}

export const tasks: readonly TaskView[] = [
  { ...song, id: 6, status: '', progress: '', finish_time: 0, data: null },
  { ...song, id: 5, status: 'QUEUED', progress: '0%', finish_time: 0, data: null },
  { ...song, id: 4, status: 'IN_PROGRESS', progress: '35%', finish_time: 0, data: null },
  { ...song, id: 3, status: 'FAILURE', fail_reason: 'Not enough credits', action: 'LYRICS', data: null },
  { ...song, id: 2, finish_time: MORNING / 1000 + 260 },
  { ...song, id: 1, status: 'UNKNOWN', progress: '10%', finish_time: 0 },
]

/** Drawings of every state and kind in the list. */
export const hasDrawings = lists(/\/api\/mj\/?\?/, drawings)
export const hasTasks = lists(/\/api\/task\/?\?/, tasks)
