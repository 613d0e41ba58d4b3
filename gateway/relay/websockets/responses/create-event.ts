import { refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../../base/json.ts'
import { editObject, spansOf } from '../../../base/json-spans.ts'
import { unstored } from '../../stored/content.ts'
import { frameJson } from '../frame-json.ts'

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
export function bodyOf({ bytes, json }: CreateEvent, before: readonly JsonObject[] | undefined): Buffer {
  const edits = new Map<string, unknown>([
    ['type', undefined],
    ['stream_id', undefined],
    ['generate', undefined],
    ['background', undefined],
    ['stream', true],
  ])
  if (before) {
    edits.set('previous_response_id', undefined)
    edits.set('input', inputAfter(before, json))
  }
  return editObject(bytes, spansOf(bytes), edits)
}

/** The input of a turn as items, behind those of the turn before. */
export function inputAfter(before: readonly JsonObject[], { input, store }: Readonly<JsonObject>): JsonObject[] {
  const own = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsIn(input)
  return [...(store === false ? before.flatMap(unstored) : before), ...own]
}
