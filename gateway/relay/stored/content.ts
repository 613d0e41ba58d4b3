import { randomKey } from '../../base/ids.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../base/json/json.ts'

/**
 * A response that is kept here: the items that were said with it, the response it continues (empty for a first one), and
 * the response itself. Items that were too long to be kept are null.
 */
export type Content = Readonly<{ input: readonly JsonObject[] | null; before: string; response: JsonObject }>

/**
 * The content to keep, made of JSON texts without reading them: the input, and the answer as it is sent, which is the
 * response itself or a stream that ends with an event holding it.
 */
export function contentText(input: Content['input'], before: string, answer: string): string {
  const end = answer.startsWith('{') ? `{"response":${answer}}` : lastData(answer)
  return `{"input":${JSON.stringify(input)},"before":${JSON.stringify(before)},"end":${end}}`
}

/** Reads what `contentText` has made. */
export function readContent(text: string): Content {
  const { input, before, end } = objectIn(parsed(text))
  const response = objectIn(objectIn(end).response)
  return { input: input === null ? null : objectsIn(input), before: textIn(before) ?? '', response }
}

function lastData(stream: string): string {
  const start = stream.lastIndexOf('\ndata:')
  return stream.slice(start + '\ndata:'.length, stream.indexOf('\n', start + 1)).trim() || '{}'
}

/** Prefixes of the ids that OpenAI gives items of a request. */
const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
  ['reasoning', 'rs'],
])
const ID_LENGTH = 32

/** The `input` of a request as a list of items that all have ids; what is no item is left out. */
export function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [withId(message([{ type: 'input_text', text: input }]))]
  return objectsIn(input).map((item) => withId(isMessage(item) ? wholeMessage(item) : item))
}

const message = (content: unknown): JsonObject => ({ type: 'message', role: 'user', content })

const isMessage = ({ type }: JsonObject): boolean => type === undefined || type === 'message'

/** A message in its short form says neither that it is one nor, of a text, of what kind it is. */
function wholeMessage(item: JsonObject): JsonObject {
  const { content, role } = item
  if (role === undefined) return item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', ...item, content: typeof content === 'string' ? [{ type, text: content }] : content }
}

function withId(item: JsonObject): JsonObject {
  if (textIn(item.id) !== undefined) return item
  return { id: `${prefixes.get(item.type) ?? 'item'}_${randomKey(ID_LENGTH)}`, ...item }
}

/** Ids of items that the gateway's own answers have: the id of their response in the middle. */
const OWN_ITEM = /^[a-z]+_(\d{23}[0-9A-Za-z]{8})_\d+$/

/** The id of the response an item of the gateway's own comes from; undefined for any other item. */
export function responseOf(itemId: string): string | undefined {
  const id = OWN_ITEM.exec(itemId)?.[1]
  return id && `resp_${id}`
}

/** A response as it was sent: itself, or a stream that ends with an event holding it. */
export const responseIn = (answer: string): JsonObject =>
  answer.startsWith('{') ? objectIn(parsed(answer)) : objectIn(objectIn(parsed(lastData(answer))).response)

/** The characters of all texts in a value. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let characters = 0
  for (const member of Object.values(value)) characters += charactersOf(member)
  return characters
}

/** How many values a value of JSON has in it, itself included; of something deeply nested as well. */
export function valuesIn(value: unknown): number {
  let count = 0
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    count += 1
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner)
  }
  return count
}

/** The id of an item that is only named: an `item_reference`, which may leave out its type. */
export function referenceIn(item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  const { type, id, role } = item
  return type === 'item_reference' || (type === undefined && role === undefined) ? textIn(id) : undefined
}

/** Items whose id means nothing but where they are stored, and ties them to thoughts that were not sent along. */
const NAMELESS = /^(message|(function|custom_tool|local_shell|web_search)_call)$/

/**
 * An item as it can be sent again where nothing is stored: without an id nobody would know, and thoughts only where
 * their sealed content came along.
 */
export function unstored(item: JsonObject): JsonObject[] {
  if (item.type === 'item_reference') return []
  if (item.type === 'reasoning') return textIn(item.encrypted_content) ? [item] : []
  const { id, ...rest } = item
  return [NAMELESS.test(textIn(item.type ?? 'message') ?? '') ? rest : item]
}
