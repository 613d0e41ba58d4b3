import { randomKey } from '../../base/ids.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../base/json/json.ts'
import { spansOf } from '../../base/json/json-spans.ts'

/**
 * A stored response: its input items, the response that it continues (empty for a first one), and the response itself.
 * `input` is null if it was too large to store.
 */
export type Content = Readonly<{ input: readonly JsonObject[] | null; before: string; response: JsonObject }>

/**
 * The content to store, built from JSON texts without parsing them: the input, and the response as sent, which is the
 * response itself or a stream that ends with an event containing it.
 */
export function contentText(input: Content['input'], before: string, answer: string): string {
  const end = answer.startsWith('{') ? `{"response":${answer}}` : lastData(answer)
  return `{"input":${JSON.stringify(input)},"before":${JSON.stringify(before)},"end":${end}}`
}

export function readContent(text: string): Content {
  const { input, before, end } = objectIn(parsed(text))
  const response = objectIn(objectIn(end).response)
  return { input: input === null ? null : objectsIn(input), before: textIn(before) ?? '', response }
}

/** The response of a stored content as it was sent, cut out of the text without parsing it. */
export function responseBytes(text: string): Buffer {
  const end = memberOf(Buffer.from(text), 'end')
  return memberOf(end, 'response')
}

function memberOf(bytes: Buffer, key: string): Buffer {
  const member = spansOf(bytes).members.findLast((one) => one.key === key)
  return member ? bytes.subarray(member.valueStart, member.valueEnd) : Buffer.from('{}')
}

function lastData(stream: string): string {
  const start = stream.lastIndexOf('\ndata:')
  return stream.slice(start + '\ndata:'.length, stream.indexOf('\n', start + 1)).trim() || '{}'
}

const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
  ['reasoning', 'rs'],
])
const ID_LENGTH = 32
const MAX_ID_LENGTH = 256

/** The `input` of a request as a list of items with ids; ignores entries that are not items. */
export function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [withId(message([{ type: 'input_text', text: input }]))]
  return objectsIn(input).map((item) => withId(isMessage(item) ? completeMessage(item) : item))
}

const message = (content: unknown): JsonObject => ({ type: 'message', role: 'user', content })

const isMessage = ({ type }: JsonObject): boolean => type === undefined || type === 'message'

/** A message in short form omits its type, and the type of its text. */
function completeMessage(item: JsonObject): JsonObject {
  const { content, role } = item
  if (role === undefined) return item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', ...item, content: typeof content === 'string' ? [{ type, text: content }] : content }
}

/** Adds an id to an item without one; replaces an id that a database cannot index. */
function withId(item: JsonObject): JsonObject {
  const id = textIn(item.id)
  if (id !== undefined && id.length <= MAX_ID_LENGTH && !id.includes('\0')) return item
  return { ...item, id: `${prefixes.get(item.type) ?? 'item'}_${randomKey(ID_LENGTH)}` }
}

/** Item ids in the gateway's own responses: they contain the response's id. */
const OWN_ITEM = /^[a-z]+_(\d{23}[0-9A-Za-z]{8})_\d+$/

/** The id of the response that an item of the gateway belongs to; undefined for any other item. */
export function responseOf(itemId: string): string | undefined {
  const id = OWN_ITEM.exec(itemId)?.[1]
  return id && `resp_${id}`
}

/** A response as sent: itself, or a stream that ends with an event containing it. */
export const responseIn = (answer: string): JsonObject =>
  answer.startsWith('{') ? objectIn(parsed(answer)) : objectIn(objectIn(parsed(lastData(answer))).response)

export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let characters = 0
  for (const member of Object.values(value)) characters += charactersOf(member)
  return characters
}

/** Number of values in a JSON value, itself included, counted up to `max`; handles deep nesting. */
export function valuesIn(value: unknown, max = Number.POSITIVE_INFINITY): number {
  let count = 0
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    count += 1
    if (count >= max) return count
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner)
  }
  return count
}

/** The id of a referenced item: an `item_reference`, whose type is optional. */
export function referenceIn(item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  const { type, id, role } = item
  return type === 'item_reference' || (type === undefined && role === undefined) ? textIn(id) : undefined
}

/** Types of items whose id is only meaningful where they are stored, and links them to reasoning that is not sent. */
const NAMELESS = /^(message|(function|custom_tool|local_shell|web_search)_call)$/

/**
 * An item as it can be sent to a vendor that has not stored it: without an id that the vendor does not know, and
 * reasoning only with its encrypted content. Empty if it cannot be sent.
 */
export function unstored(item: JsonObject): JsonObject[] {
  if (item.type === 'item_reference') return []
  if (item.type === 'reasoning') return textIn(item.encrypted_content) ? [item] : []
  const { id, ...rest } = item
  return [NAMELESS.test(textIn(item.type ?? 'message') ?? '') ? rest : item]
}
