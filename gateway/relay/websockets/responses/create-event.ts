import { refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../../base/json.ts'
import { editObject, spansOf } from '../../../base/json-spans.ts'
import { frameJson } from '../frame-json.ts'
import { bareItems, type KeptItems, keptItems, listOf } from './memory.ts'

/** A `response.create` as it came: the request of one turn. */
export type CreateEvent = Readonly<{
  bytes: Buffer
  json: Readonly<JsonObject>
  /** The lane whose name goes back with every event. */
  lane: string | undefined
  previousId: string | undefined
  /** Only prepares: nothing is to be answered yet. */
  isWarmUp: boolean
}>

/** Acknowledgements that nobody need act upon. */
const UNHEEDED = new Set(['response.processed'])

/** Reads a frame; undefined for one that asks for nothing. Refuses what is no event, and events of other kinds. */
export function readCreateEvent(bytes: Buffer, isBinary: boolean): CreateEvent | undefined {
  const json = isBinary ? undefined : frameJson(bytes)
  if (!isObject(json)) throw refuse('invalid', 'relay.socketFrame', {}, { code: 'invalid_frame' })
  const type = String(json.type)
  if (UNHEEDED.has(type)) return undefined
  if (type !== 'response.create')
    throw refuse('invalid', 'relay.socketEvent', { type: type.slice(0, 100) }, { code: 'unknown_event', param: 'type' })
  return {
    bytes,
    json,
    lane: textIn(json.stream_id),
    previousId: textIn(json.previous_response_id) || undefined,
    isWarmUp: json.generate === false,
  }
}

/**
 * The body of `POST /v1/responses` for a turn: the same bytes without what only a socket knows, streamed, and with the
 * items of the turn it goes on from where the socket remembers them.
 */
export function bodyOf({ bytes, json }: CreateEvent, before: KeptItems | undefined): Buffer {
  const edits = new Map<string, unknown>([
    ['type', undefined],
    ['stream_id', undefined],
    ['generate', undefined],
    ['background', undefined],
    ['stream', true],
  ])
  if (!before) return editObject(bytes, spansOf(bytes), edits)
  for (const replaced of ['previous_response_id', 'input']) edits.set(replaced, undefined)
  const rest = editObject(bytes, spansOf(bytes), edits)
  // It has a member: `stream`.
  const end = rest.lastIndexOf('}')
  const input = listOf(inputAfter(before, json))
  return Buffer.concat([rest.subarray(0, end), Buffer.from(',"input":'), input, rest.subarray(end)])
}

/** The input of a turn as items, behind those of the turn before. */
export function inputAfter(before: KeptItems, { input, store }: Readonly<JsonObject>): KeptItems {
  const own = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsIn(input)
  const earlier = store === false ? bareItems(before) : before
  return own.length === 0 ? earlier : [...earlier, ...keptItems(own)]
}
