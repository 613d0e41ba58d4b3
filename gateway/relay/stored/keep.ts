import { type JsonObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import type { UsageTap } from '../metering/usage-tap.ts'
import type { Delivery } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { rowOwnerOf } from '../model/caller.ts'
import type { StreamTransform } from '../transforms/transform.ts'
import { charactersOf, contentText, itemsOf, responseIn, valuesIn } from './content.ts'
import { type Conversations, MAX_ITEM_LENGTH, MAX_TURN_ITEMS } from './conversations.ts'
import { MAX_CONTENT_LENGTH, type StoredResponses } from './stored-responses.ts'

/**
 * Whether the gateway stores a response itself: one of `/v1/responses` from a vendor without such storage, except for
 * compactions.
 */
export const isStoredHere = (stored: StoredResponses, { call, answer }: Pick<Delivery, 'call' | 'answer'>): boolean =>
  call.endpoint === 'responses' &&
  !call.route.compacts &&
  isConverted(answer) &&
  call.json.store !== false &&
  stored.isOn()

/**
 * Whether the response was converted: even a vendor of the same dialect may have received a changed request, so that
 * its response has another id.
 */
const isConverted = ({ upstreamEndpoint, conversion }: Delivery['answer']): boolean =>
  upstreamEndpoint !== 'responses' || conversion !== undefined

/** Max length of input and response together, less space for the JSON around them. */
const MAX_INPUT_LENGTH = MAX_CONTENT_LENGTH - 16 * 1024

/**
 * Stores a response as sent, complete or as a stream, with its new input: earlier responses are stored already, and
 * their expiry is extended. Omits the input if both together are too long, or it has too many values.
 */
function keepAnswer(stored: StoredResponses, { context, caller, call }: Delivery, answer: string): void {
  const { before, items } = call.continued ?? { before: [], items: undefined }
  const isLong = isLonger(call, items, MAX_INPUT_LENGTH - Buffer.byteLength(answer))
  const input = isLong ? null : (items ?? itemsOf(call.json.input))
  const content = contentText(input && hasManyValues(call, input) ? null : input, before.at(-1) ?? '', answer)
  stored.keep(rowOwnerOf(caller), `resp_${context.requestId}`, { content })
  if (before.length > 0) stored.prolong(rowOwnerOf(caller), before)
}

/** Max values of a stored input: each continuation parses it in one turn of the event loop. */
const MAX_INPUT_VALUES = 64 * 1024

/** Whether an input has more values than are stored; counts them only if the body is long enough for so many. */
const hasManyValues = ({ bytes }: Call, input: readonly JsonObject[]): boolean =>
  bytes.length > MAX_INPUT_VALUES && valuesIn(input, MAX_INPUT_VALUES) >= MAX_INPUT_VALUES

/** Whether the new input is longer than `max`; the body of a continued call also contains everything before. */
function isLonger({ bytes }: Call, items: readonly JsonObject[] | undefined, max: number): boolean {
  if (!items || bytes.length <= max) return bytes.length > max
  let length = 0
  for (const item of items) {
    // JSON is never shorter than its text: skip serializing a very long one.
    length += charactersOf(item)
    if (length > max) return true
  }
  return Buffer.byteLength(JSON.stringify(items)) > max
}

export type StoreDeps = Readonly<{ stored: StoredResponses; conversations: Conversations }>

/** Stores a response that the gateway has written, as sent: by its id, and in its conversation. */
export function storeOwn({ stored, conversations }: StoreDeps, delivery: Delivery, answer: string): void {
  if (isStoredHere(stored, delivery)) keepAnswer(stored, delivery, answer)
  if (delivery.call.conversation) addTurn(conversations, delivery, responseIn(answer))
}

/** Stores the location of a vendor's own response, and its items in its conversation. */
export function storeVendors({ stored, conversations }: StoreDeps, delivery: Delivery, response: unknown): void {
  rememberLocation(stored, delivery, response)
  addTurn(conversations, delivery, objectIn(response))
}

/** Adds input and output to the conversation, unless the response failed or its output cannot be stored completely. */
function addTurn(conversations: Conversations, { caller, call }: Delivery, { status, output }: JsonObject): void {
  if (!call.conversation || (status !== 'completed' && status !== 'incomplete')) return
  if (!Array.isArray(output) || output.length > MAX_TURN_ITEMS) return
  const answered = objectsIn(output)
  if (!answered.every(isFit)) return
  const { id, items } = call.conversation
  conversations.append(rowOwnerOf(caller), id, [...items, ...answered])
}

/** A vendor's item may be no longer than a caller's. */
const isFit = (item: JsonObject): boolean => charactersOf(item) <= MAX_ITEM_LENGTH

export const isOwnStored = ({ stored }: StoreDeps, delivery: Delivery): boolean =>
  isStoredHere(stored, delivery) || (delivery.call.conversation !== undefined && delivery.answer.wire !== undefined)

/** A transform that stores its last bytes, which contain the complete response. */
export const storingTransform = (deps: StoreDeps, delivery: Delivery, transform: StreamTransform): StreamTransform => ({
  feed: (bytes) => transform.feed(bytes),
  end: () => transform.end(),
  position: () => transform.position?.(),
  close(usage) {
    const last = transform.close(usage)
    storeOwn(deps, delivery, last)
    return last
  },
})

/** Max items of one response that clients may reference; a limit against vendors that send more. */
const MAX_ITEMS = 100

/** Stores which channel and key have a response and its output items, which clients may reference individually. */
function rememberLocation(stored: StoredResponses, { caller, call, answer }: Delivery, response: unknown): void {
  if (
    call.endpoint !== 'responses' ||
    call.route.compacts ||
    isConverted(answer) ||
    call.json.store === false ||
    !stored.isOn()
  )
    return
  const { id, store, output } = objectIn(response)
  if (store === false) return
  const location = { channelId: answer.channel.id, keyId: answer.channel.keyId }
  const items = objectsIn(output).slice(0, MAX_ITEMS)
  for (const named of [id, ...items.map((item) => item.id)])
    if (typeof named === 'string') stored.keep(rowOwnerOf(caller), named, location)
}

/**
 * A tap that stores the location of a response and its items at the end of its stream, and adds the items to its
 * conversation. Until then the response cannot be retrieved: retrieving costs nothing, and a caller that leaves a stream
 * pays only for what the gateway has read of it.
 */
export function rememberingTap(deps: StoreDeps, delivery: Delivery, tap: UsageTap): UsageTap {
  const { endpoint, json, conversation } = delivery.call
  if (endpoint !== 'responses' || (json.store === false && !conversation)) return tap
  let hasItems = false
  return {
    ...tap,
    payload(text) {
      const beginning = text.slice(0, BEGINNING)
      const isEnd = END.test(beginning)
      hasItems ||= ITEM.test(beginning)
      if (isEnd) {
        const { response } = objectIn(parsed(text))
        const isWithout = hasItems && objectsIn(objectIn(response).output).length === 0
        if (isWithout) rememberLocation(deps.stored, delivery, response)
        else storeVendors(deps, delivery, response)
      }
      return tap.payload(text)
    },
  }
}

/** The events with the complete response show their type at the beginning. */
const END = /"type":\s*"response\.(completed|incomplete)"/
/** An item of the output, which some vendors do not repeat in the complete response. */
const ITEM = /"type":\s*"response\.output_item\.done"/
const BEGINNING = 100
