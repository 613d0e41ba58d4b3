import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import type { TokenCount } from '../../tokenizer/counter.ts'
import { plainJson } from '../../tokenizer/plain-json.ts'
import { heardTokens, saidTokens, soundBytes } from '../../tokenizer/sound.ts'

/** What has been heard or said since the last figures: text, characters beyond what is kept, seconds of sound. */
export type Pending = { text: string; beyond: number; seconds: number }

/** Nothing yet. */
export const emptyPending = (): Pending => ({ text: '', beyond: 0, seconds: 0 })

/** Whether nothing has come yet. */
export const isNothing = ({ text, seconds }: Pending): boolean => text === '' && seconds === 0

/** Max characters that are stored to be counted exactly; four characters beyond count as a token. */
export const MAX_KEPT = 64 * 1024
const CHARACTERS_A_TOKEN = 4

/** Adds a text; `max` is the length of the whole that is counted exactly. */
export function appendText(pending: Pending, text: string, max: number = MAX_KEPT): void {
  const free = Math.max(Math.floor(max) - pending.text.length, 0)
  pending.text += text.length <= free ? text : detachedStart(text, free)
  pending.beyond += Math.max(text.length - free, 0)
}

/** Returns the first characters as a copy: a slice would keep the whole text, which may be a frame of MiB, in memory. */
const detachedStart = (text: string, length: number): string =>
  Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')

/** Adds what another one holds; returns the whole. */
export function append(pending: Pending, { text, beyond, seconds }: Pending, max?: number): Pending {
  appendText(pending, text, max)
  pending.beyond += beyond
  pending.seconds += seconds
  return pending
}

/** Characters of its text. */
export const lengthOf = ({ text, beyond }: Pending): number => text.length + beyond

/** Adds what a caller's event gives to hear: instructions, tools, texts and recordings of so many bytes a second. */
export function addInputEvent(
  { type, session, item, response }: JsonObject,
  heard: Pending,
  bytesASecond: number,
): void {
  if (type === 'session.update') appendText(heard, wordsOf(session))
  else if (type === 'response.create') {
    appendText(heard, wordsOf(response))
    for (const given of objectsIn(objectIn(response).input)) addItem(given, heard, bytesASecond)
  } else if (type === 'conversation.item.create') addItem(objectIn(item), heard, bytesASecond)
}

function addItem({ content, output, arguments: given }: JsonObject, heard: Pending, bytesASecond: number): void {
  for (const part of objectsIn(content)) {
    appendText(heard, textIn(part.text) ?? textIn(part.transcript) ?? '')
    heard.seconds += soundBytes(part.audio) / bytesASecond
  }
  appendText(heard, `${textIn(output) ?? ''}${textIn(given) ?? ''}`)
}

function wordsOf(value: unknown): string {
  const { instructions, tools } = objectIn(value)
  return `${textIn(instructions) ?? ''}${tools === undefined ? '' : plainJson(tools)}`
}

/** Estimated tokens of its text. */
export const textTokens = (pending: Pending): number => Math.ceil(lengthOf(pending) / CHARACTERS_A_TOKEN)

/** Tokens that these come to, at least one for every three characters. */
export const roughTokens = ({ text, beyond, seconds }: Pending): number =>
  Math.ceil((text.length + beyond) / 3) + saidTokens(seconds)

export type Count = (texts: readonly string[]) => Promise<TokenCount>

/** The usage that what was heard and said comes to (docs/reference/billing.md#sound). */
export async function counted(count: Count, input: Pending, output: Pending): Promise<Usage> {
  const [prompt, completion] = await Promise.all([count([input.text]), count([output.text])])
  const audioInput = heardTokens(input.seconds)
  const audioOutput = saidTokens(output.seconds)
  const guessed = audioInput + audioOutput + input.beyond + output.beyond
  const isExact = prompt.source === 'counted' && completion.source === 'counted' && guessed === 0
  return usageOf({
    prompt: prompt.tokens + Math.ceil(input.beyond / CHARACTERS_A_TOKEN) + audioInput,
    completion: completion.tokens + Math.ceil(output.beyond / CHARACTERS_A_TOKEN) + audioOutput,
    audioInput,
    audioOutput,
    source: isExact ? 'counted' : 'estimated',
  })
}
