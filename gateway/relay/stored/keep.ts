import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import type { UsageTap } from '../metering/usage-tap.ts'
import type { Delivery } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { rowOwnerOf } from '../model/caller.ts'
import type { StreamTransform } from '../transforms/transform.ts'
import { charactersOf, contentText, itemsOf, responseIn } from './content.ts'
import { type Conversations, MAX_ITEM_LENGTH, MAX_TURN_ITEMS } from './conversations.ts'
import { MAX_CONTENT_LENGTH, type StoredResponses } from './stored-responses.ts'

/** Whether the gateway keeps an answer itself: one of `/v1/responses` from a vendor that has no such thing; no summaries, which are no responses. */
export const isKeptHere = (stored: StoredResponses, { call, answer }: Pick<Delivery, 'call' | 'answer'>): boolean =>
  call.endpoint === 'responses' &&
  !call.route.compacts &&
  isConverted(answer) &&
  call.json.store !== false &&
  stored.isOn()

/** A vendor of the same dialect may have been asked in other words, so that its answer has another id. */
const isConverted = ({ upstreamEndpoint, told }: Delivery['answer']): boolean =>
  upstreamEndpoint !== 'responses' || told !== undefined

/** Input and answer together, with room for what is written around them. */
const MAX_INPUT_LENGTH = MAX_CONTENT_LENGTH - 16 * 1024

/**
 * Keeps an answer as it is sent, whole or as a stream, with what was said for it: what came before is kept already, and
 * from now on as long. Without its input where both together would be too long.
 */
function keepAnswer(stored: StoredResponses, { context, caller, call }: Delivery, answer: string): void {
  const { before, items } = call.continued ?? { before: [], items: undefined }
  const isLong = isLonger(call, items, MAX_INPUT_LENGTH - Buffer.byteLength(answer))
  const content = contentText(isLong ? null : (items ?? itemsOf(call.json.input)), before.at(-1) ?? '', answer)
  stored.keep(rowOwnerOf(caller), `resp_${context.requestId}`, { content })
  if (before.length > 0) stored.prolong(rowOwnerOf(caller), before)
}

/** Whether what was said with a call is longer; of a continued one the body holds all that came before as well. */
function isLonger({ bytes }: Call, items: readonly JsonObject[] | undefined, max: number): boolean {
  if (!items || bytes.length <= max) return bytes.length > max
  let length = 0
  for (const item of items) {
    // No text is written shorter than it is: a very long one is not written to be measured.
    length += charactersOf(item)
    if (length > max) return true
  }
  return Buffer.byteLength(JSON.stringify(items)) > max
}

export type KeepDeps = Readonly<{ stored: StoredResponses; conversations: Conversations }>

/** Keeps an answer that the gateway has written itself, as it is sent: by its id, and in the conversation it is a turn of. */
export function keepOwn({ stored, conversations }: KeepDeps, delivery: Delivery, answer: string): void {
  if (isKeptHere(stored, delivery)) keepAnswer(stored, delivery, answer)
  if (delivery.call.conversation) addTurn(conversations, delivery, responseIn(answer))
}

/** Keeps of a vendor's own response where it lies, and what it says in the conversation it is a turn of. */
export function keepVendors({ stored, conversations }: KeepDeps, delivery: Delivery, response: unknown): void {
  rememberLocation(stored, delivery, response)
  addTurn(conversations, delivery, objectIn(response))
}

/** Adds what was said and answered to the conversation; nothing of an answer that failed or was cut off. */
function addTurn(conversations: Conversations, { caller, call }: Delivery, { status, output }: JsonObject): void {
  if (!call.conversation || (status !== 'completed' && status !== 'incomplete')) return
  const { id, items } = call.conversation
  const answered = objectsIn(output).slice(0, MAX_TURN_ITEMS)
  conversations.append(rowOwnerOf(caller), id, [...items, ...answered.filter(isFit)])
}

/** No honest vendor's item is longer than one of a caller may be. */
const isFit = (item: JsonObject): boolean => charactersOf(item) <= MAX_ITEM_LENGTH

/** Whether an answer that the gateway writes itself is kept in any way. */
export const isOwnKept = ({ stored }: KeepDeps, delivery: Delivery): boolean =>
  isKeptHere(stored, delivery) || (delivery.call.conversation !== undefined && delivery.answer.wire !== undefined)

/** A transform whose last words, which hold the whole response, are kept. */
export const keptTransform = (deps: KeepDeps, delivery: Delivery, transform: StreamTransform): StreamTransform => ({
  feed: (bytes) => transform.feed(bytes),
  end: () => transform.end(),
  place: () => transform.place?.(),
  close(usage) {
    const last = transform.close(usage)
    keepOwn(deps, delivery, last)
    return last
  },
})

/** Items of one response that clients may name; a vendor that sends more fills no table with them. */
const MAX_ITEMS = 100

/** Remembers which channel's vendor, and under which key, keeps a response and the items of its output, which clients may name alone. */
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
  const place = { channelId: answer.channel.id, keyId: answer.channel.keyId }
  const items = objectsIn(output).slice(0, MAX_ITEMS)
  for (const named of [id, ...items.map((item) => item.id)])
    if (typeof named === 'string') stored.keep(rowOwnerOf(caller), named, place)
}

/**
 * A tap that remembers the place of a response as soon as its stream has named it, and of its items at the end, where its
 * conversation gets them as well.
 */
export function rememberingTap(deps: KeepDeps, delivery: Delivery, tap: UsageTap): UsageTap {
  const { endpoint, json, conversation } = delivery.call
  if (endpoint !== 'responses' || (json.store === false && !conversation)) return tap
  let isNamed = false
  return {
    ...tap,
    payload(text) {
      const isEnd = END.test(text.slice(0, BEGINNING))
      if (!isNamed || isEnd) {
        const { response } = objectIn(parsed(text))
        isNamed ||= isObject(response)
        if (isEnd) keepVendors(deps, delivery, response)
        else rememberLocation(deps.stored, delivery, response)
      }
      return tap.payload(text)
    },
  }
}

/** The events that hold the whole response say so at their beginning. */
const END = /"type":\s*"response\.(completed|incomplete)"/
const BEGINNING = 100
