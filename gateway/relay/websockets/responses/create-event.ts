import { refuse } from '../../../base/errors.ts'
import { yieldToOthers } from '../../../base/fair-yield.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { withMembers } from '../../../base/json/json-spans.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { checkModelName } from '../../intake/parse.ts'
import { frameJson } from '../frame-json.ts'
import { bareItems, listOf, type StoredItems, storedItems } from './memory.ts'

/** A `response.create`: the request of one turn. */
export type CreateEvent = Readonly<{
  bytes: Buffer
  json: Readonly<JsonObject>
  /** The lane, repeated in every event of the response. */
  lane: string | undefined
  previousId: string | undefined
  /** Only prepares the turn, without a response. */
  isWarmUp: boolean
}>

/** Max characters of a lane's name, which is repeated in each event. */
const MAX_LANE = 256

const IGNORED_EVENTS = new Set(['response.processed'])

/**
 * Parses a frame, in slices if large; undefined for an event that requests nothing. Throws for an invalid event or
 * another type.
 */
export const readCreateEvent = (bytes: Buffer, isBinary: boolean): MaybePromise<CreateEvent | undefined> =>
  whenKnown(isBinary ? undefined : frameJson(bytes), (json) => eventIn(bytes, json))

function eventIn(bytes: Buffer, json: unknown): CreateEvent | undefined {
  if (!isObject(json)) throw refuse('invalid', 'relay.socketFrame', {}, { code: 'invalid_frame' })
  const type = textIn(json.type) ?? ''
  if (IGNORED_EVENTS.has(type)) return undefined
  if (type !== 'response.create')
    throw refuse('invalid', 'relay.socketEvent', { type: type.slice(0, 100) }, { code: 'unknown_event', param: 'type' })
  checkModelName(textIn(json.model) ?? '')
  const lane = textIn(json.stream_id)
  if (lane !== undefined && lane.length > MAX_LANE)
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'stream_id' }, { code: 'invalid_frame', param: 'stream_id' })
  return {
    bytes,
    json,
    lane,
    previousId: textIn(json.previous_response_id) || undefined,
    isWarmUp: json.generate === false,
  }
}

/**
 * The body of `POST /v1/responses` for a turn: the event's bytes without socket-only members, streamed, and with the
 * items of the previous turn if the socket remembers them; serialized in slices if large.
 */
export async function bodyOf({ bytes, json }: CreateEvent, before: StoredItems | undefined): Promise<Buffer> {
  const edits = new Map<string, unknown>([
    ['type', undefined],
    ['stream_id', undefined],
    ['generate', undefined],
    ['background', undefined],
    ['stream', true],
  ])
  if (!before) return withMembers(bytes, edits)
  for (const replaced of ['previous_response_id', 'input']) edits.set(replaced, undefined)
  const rest = await withMembers(bytes, edits)
  // Not empty: it has `stream`.
  const end = rest.lastIndexOf('}')
  const input = listOf(await inputAfter(before, json, bytes.length > LARGE))
  if (bytes.length > LARGE) await yieldToOthers()
  return Buffer.concat([rest.subarray(0, end), Buffer.from(',"input":'), input, rest.subarray(end)])
}

/** The input of a turn as items, after those of the previous turn; serialized in slices if large. */
export async function inputAfter(
  before: StoredItems,
  { input, store }: Readonly<JsonObject>,
  isLarge = false,
): Promise<StoredItems> {
  const own = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsIn(input)
  const earlier = store === false ? bareItems(before) : before
  return own.length === 0 ? earlier : [...earlier, ...(await storedItems(own, isLarge))]
}
