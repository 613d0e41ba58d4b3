import { refuse } from '../../../base/errors.ts'
import { type JsonObject, textIn } from '../../../base/json/json.ts'
import { vendorIds } from '../vendor-ids.ts'
import type { DrawingSubmit } from './drawing-paths.ts'

export type DrawingRequest = Readonly<{
  /** A name from docs/reference/tables.md#tables, such as `UPSCALE`. */
  action: string
  /** Determines price and routing, such as `mj_upscale`. */
  model: string
  /** The id of the drawing it continues; empty if none. */
  taskId: string
}>

/**
 * Whether a prompt orders several drawings: Midjourney draws once for each repetition, and for each member of a list
 * (its documentation, "Repeat", "Permutations").
 */
function ordersSeveral(prompt: string): boolean {
  const opening = /(?<!\\)\{/.exec(prompt)?.index ?? Number.POSITIVE_INFINITY
  const comma = prompt.indexOf(',', opening)
  return REPEAT.test(prompt) || (comma > opening && prompt.includes('}', comma))
}

const REPEAT = /(?:--|\u2014)r(?:epeat)?[\s=]*\d/i

/** Whether a prompt makes a video from its image (Midjourney, "Video"). */
export const hasVideoFlag = (prompt: string): boolean => /(?:--|\u2014)(?:video|motion)(?![\w-])/i.test(prompt)

/** The request with the price of a video. */
export const videoOf = ({ taskId }: DrawingRequest): DrawingRequest => requestOf('VIDEO', taskId)

/** Reads the requested action from a body; throws refusals with the codes that clients of Midjourney proxies know. */
export function drawingRequestIn(submit: DrawingSubmit, json: JsonObject): DrawingRequest {
  if (ordersSeveral(textIn(json.prompt) ?? ''))
    throw refuse('invalid', 'relay.severalDrawings', {}, { code: 'invalid_request', param: 'prompt' })
  const other = vendorIds(json).find(({ field, kind }) => kind === 'task' && field !== 'taskId')
  if (other) throw bad(other.field, 'invalid_request')
  if (submit === 'change') return changeIn(json)
  if (submit === 'simple-change') return simpleChangeIn(json)
  if (submit === 'action') return actionIn(json)
  if (submit === 'IMAGINE' || submit === 'EDITS') need(json, 'prompt', 'prompt_is_required', Number.POSITIVE_INFINITY)
  if (submit === 'MODAL') return requestOf('MODAL', need(json, 'taskId', 'task_id_is_required'))
  return requestOf(submit, shortText(json, 'taskId'))
}

const requestOf = (action: string, taskId: string): DrawingRequest => ({
  action,
  model: action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`,
  taskId,
})

const CHANGES: ReadonlySet<string> = new Set(['UPSCALE', 'VARIATION', 'REROLL'])

function changeIn(json: JsonObject): DrawingRequest {
  const taskId = need(json, 'taskId', 'task_id_is_required')
  const action = need(json, 'action', 'action_is_required').toUpperCase()
  if (!CHANGES.has(action)) throw bad('action', 'unknown_action')
  const { index } = json
  if (action !== 'REROLL' && !(Number.isInteger(index) && Number(index) >= 1 && Number(index) <= 4))
    throw bad('index', 'index_is_required')
  return requestOf(action, taskId)
}

/** `<task id> U1` to `U4`, `V1` to `V4`, or `R`. */
const SIMPLE = /^\s*(\S+)\s+(?:([UV])[1-4]|R)\s*$/i

function simpleChangeIn(json: JsonObject): DrawingRequest {
  const [found, taskId = '', letter] = SIMPLE.exec(need(json, 'content', 'content_is_required')) ?? []
  if (!found) throw bad('content', 'content_parse_failed')
  if (shortText(json, 'taskId') !== '') throw bad('taskId', 'invalid_request')
  if (!letter) return requestOf('REROLL', taskId)
  return requestOf(letter.toUpperCase() === 'U' ? 'UPSCALE' : 'VARIATION', taskId)
}

/** The buttons of a drawing, by the word in their id; the first match applies. */
const buttons: readonly (readonly [RegExp, string])[] = [
  [/upsample/, 'UPSCALE'],
  [/^low_variation/, 'LOW_VARIATION'],
  [/^high_variation/, 'HIGH_VARIATION'],
  [/^variation/, 'VARIATION'],
  [/^pan/, 'PAN'],
  [/^reroll/, 'REROLL'],
  [/^Outpaint$/, 'ZOOM'],
  [/^CustomZoom$/, 'CUSTOM_ZOOM'],
  [/^Inpaint$/, 'INPAINT'],
]
const INDEXED = /^(upsample|variation)$/

/** `MJ::JOB::upsample::2::<hash>`, `MJ::Outpaint::…`: the word is the second part, or the third after `JOB`. */
function actionIn(json: JsonObject): DrawingRequest {
  const taskId = need(json, 'taskId', 'task_id_is_required')
  const [, kind = '', job = '', index = ''] = need(json, 'customId', 'custom_id_is_required').split('::', 4)
  const word = kind === 'JOB' ? job : kind
  const action = buttons.find(([pattern]) => pattern.test(word))?.[1]
  if (!action) throw bad('customId', 'unknown_action')
  if (INDEXED.test(word) && !/^[1-4]$/.test(index)) throw bad('customId', 'index_parse_failed')
  return requestOf(action, taskId)
}

/** Max characters of an id, a button or a command. URLs of images are also ids. */
const MAX_SHORT = 10_000

function shortText(json: JsonObject, field: string, max = MAX_SHORT): string {
  const given = json[field] ?? ''
  // Vendors also accept a number, or a list of one text, but only a text can be compared with the caller's own ids.
  const value = textIn(given)
  if (value === undefined || value.length > max) throw bad(field, 'invalid_request')
  return value.trim()
}

function need(json: JsonObject, field: string, code: string, max?: number): string {
  const value = shortText(json, field, max)
  if (value === '') throw refuse('invalid', 'relay.fieldMissing', { field }, { code, param: field })
  return value
}

const bad = (field: string, code: string) => refuse('invalid', 'relay.fieldInvalid', { field }, { code, param: field })
