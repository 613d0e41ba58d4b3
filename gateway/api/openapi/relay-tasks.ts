import { drawingPaths } from '../../relay/tasks/drawings/drawing-paths.ts'
import { sunoPaths } from '../../relay/tasks/task-routes.ts'
import type { Operation } from './console.ts'
import { idOf } from './relay.ts'
import { errorAnswers } from './relay-errors.ts'
import { idParameter, inQuery, list, open, record, text, whole } from './relay-pieces.ts'
import type { Piece } from './schema.ts'

export const taskTag = 'Drawings and music'

type Row = Readonly<{ summary: string; body?: Piece; answer?: Piece; parameters?: readonly Piece[]; isOpen?: true }>

const anything: Piece = { type: 'object', additionalProperties: true }
const image: Piece = { type: 'string', description: 'An image as a data URL.' }
const wants = (properties: Readonly<Record<string, Piece>>, ...required: string[]): Piece => ({
  type: 'object',
  properties,
  required,
  additionalProperties: true,
})
const finished = record({
  id: text,
  action: text,
  customId: text,
  botType: text,
  prompt: text,
  promptEn: text,
  description: text,
  state: text,
  submitTime: { ...whole, description: 'Milliseconds, like the two following fields.' },
  startTime: whole,
  finishTime: whole,
  imageUrl: { ...text, description: 'A signed link to the image at this gateway, if images are forwarded.' },
  status: text,
  progress: text,
  failReason: text,
  buttons: { type: 'array' },
  maskBase64: text,
  properties: anything,
})
/** If there are videos, their links are included. */
const videos = { videoUrl: text, videoUrls: list(record({ url: text })) }
const drawing: Piece = { ...finished, properties: { ...(finished.properties as Piece), ...videos } } // made by `record`
const submitted = open({ code: whole, description: text, result: { description: 'The id of the drawing.' } })
const follows = { taskId: { ...text, description: 'The drawing to continue.' } }
const ids = wants({ ids: list({ type: ['string', 'integer'] }) }, 'ids')

const drawings: Readonly<Record<string, Row>> = {
  'submit/imagine': { summary: 'Generates images from a prompt.', body: wants({ prompt: text }, 'prompt') },
  'submit/describe': { summary: 'Describes an image in words.', body: wants({ base64: image }) },
  'submit/blend': { summary: 'Blends images into one.', body: wants({ base64Array: list(image) }) },
  'submit/shorten': { summary: 'Shortens a prompt.', body: wants({ prompt: text }) },
  'submit/edits': {
    summary: 'Edits an image according to a prompt, within a mask if one is sent.',
    body: wants({ prompt: text, base64Array: list(image), maskBase64: image }, 'prompt'),
  },
  'submit/video': {
    summary: 'Generates a video from an image, or from a drawing of the account.',
    body: wants({
      ...follows,
      prompt: text,
      image: { ...text, description: 'An image as a data URL, or its URL.' },
      motion: { ...text, description: '`low` or `high`.' },
    }),
  },
  'submit/modal': {
    summary: 'Submits the dialog that a drawing waits for.',
    body: wants({ ...follows, prompt: text, maskBase64: image }, 'taskId'),
  },
  'submit/upload-discord-images': { summary: 'Uploads images.', body: wants({ base64Array: list(image) }) },
  'insight-face/swap': {
    summary: 'Swaps the face of one image into another.',
    body: wants({ sourceBase64: image, targetBase64: image }),
  },
  'submit/change': {
    summary: 'Upscales, varies or repeats a drawing.',
    body: wants(
      {
        ...follows,
        action: { enum: ['UPSCALE', 'VARIATION', 'REROLL'] },
        index: { type: 'integer', minimum: 1, maximum: 4 },
      },
      'taskId',
      'action',
    ),
  },
  'submit/simple-change': {
    summary: 'Upscales, varies or repeats a drawing, given in one line: its id and U1 to U4, V1 to V4 or R.',
    body: wants({ content: text }, 'content'),
  },
  'submit/action': {
    summary: 'Presses a button of a drawing.',
    body: wants({ ...follows, customId: { ...text, description: 'The id of the button.' } }, 'taskId', 'customId'),
  },
  notify: {
    summary: 'Reports that a drawing has changed; the gateway then queries its provider and ignores the body.',
    body: wants({ id: text }),
    answer: record({ code: { const: 1 }, description: text }),
    isOpen: true,
  },
  'task/{id}/fetch': { summary: 'Returns a drawing of the account.', parameters: [idParameter], answer: drawing },
  'task/{id}/image-seed': {
    summary: "Returns the seed of one of the account's drawings.",
    parameters: [idParameter],
    answer: anything,
  },
  'task/list-by-condition': {
    summary: 'Returns drawings of the account by their ids.',
    body: ids,
    answer: list(drawing),
  },
  'image/{id}': {
    summary: 'Returns the image of a drawing, or one of its videos, by its link.',
    parameters: [
      idParameter,
      inQuery('video', 'Which of its videos, from 0, instead of the image.', whole),
      inQuery('until', 'When the link ends, in unix seconds.', whole),
      inQuery('sig', 'The signature of the link.'),
      inQuery('rand', 'Any text.'),
    ],
    isOpen: true,
  },
}

const task = record({
  task_id: text,
  action: text,
  status: text,
  fail_reason: text,
  submit_time: { ...whole, description: 'Unix seconds, like the two following fields.' },
  start_time: whole,
  finish_time: whole,
  progress: text,
  data: { description: 'The result, as reported by the provider.' },
})
const success = (data: Piece) => record({ code: { const: 'success' }, message: text, data })
const music: Readonly<Record<string, Row>> = {
  '/suno/submit/{action}': {
    summary: 'Generates a song (music) or lyrics (lyrics).',
    parameters: [{ name: 'action', in: 'path', required: true, schema: text }],
    body: wants({
      prompt: text,
      gpt_description_prompt: text,
      mv: { ...text, default: 'chirp-v3-0' },
      title: text,
      tags: text,
      continue_at: { type: 'number' },
      continue_clip_id: text,
      task_id: { ...text, description: 'The task whose clip is continued.' },
      make_instrumental: { type: 'boolean' },
    }),
    answer: open({ code: { const: 'success' }, message: text, data: text }),
  },
  '/suno/fetch/{id}': { summary: 'Returns a task of the account.', parameters: [idParameter], answer: success(task) },
  '/suno/fetch': { summary: 'Returns tasks of the account by their ids.', body: ids, answer: success(list(task)) },
}

const modeParameter: Piece = {
  name: 'mode',
  in: 'path',
  required: true,
  description: "A mode such as mj-fast, which selects the gateway's action; any other value is passed on in the path.",
  schema: text,
}

export const taskOperations = (): Operation[] => [
  ...['', '/{mode}'].flatMap((mode) =>
    drawingPaths.map(([method, path]) => operationOf(method, `${mode}/mj/${path}`, drawings[path], 'drawing')),
  ),
  ...sunoPaths.map(([method, path]) => operationOf(method, path, music[path], 'task')),
]

function operationOf(method: string, path: string, row: Row | undefined, shape: 'drawing' | 'task'): Operation {
  if (!row) throw new Error(`${path} has no words`)
  const { summary, body, parameters = [], isOpen } = row
  const answer = row.answer ?? (path.includes('/image/') ? undefined : submitted)
  const content = answer ? { 'application/json': { schema: answer } } : { 'image/*': {} }
  const operation = {
    operationId: `${method.toLowerCase()}${idOf(`x${path}`).slice(1)}`,
    tags: [taskTag],
    summary,
    security: isOpen ? [{}, { relayKey: [] }] : [{ relayKey: [] }],
    parameters: [...(path.includes('{mode}') ? [modeParameter] : []), ...parameters],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { 200: { description: 'The result.', content }, ...errorAnswers([shape]) },
  }
  return { path, method: method.toLowerCase(), operation }
}
