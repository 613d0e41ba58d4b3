import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { audioBytes, audioInputTokens, audioOutputTokens } from '../../tokenizer/audio.ts'
import type { TokenCount } from '../../tokenizer/counter.ts'
import { plainJson } from '../../tokenizer/plain-json.ts'

/**
 * Input or output since the last usage: text, characters beyond the stored ones, seconds of audio, tokens of images.
 */
export type Pending = { text: string; beyond: number; seconds: number; imageTokens: number }

export const emptyPending = (): Pending => ({ text: '', beyond: 0, seconds: 0, imageTokens: 0 })

export const isNothing = ({ text, beyond, seconds, imageTokens }: Pending): boolean =>
  text === '' && beyond + seconds + imageTokens === 0

/** Characters stored for exact counting; beyond them, one token per four characters. */
export const MAX_KEPT = 64 * 1024
const CHARACTERS_PER_TOKEN = 4

/** Adds a text; only `max` characters of the total are counted exactly. */
export function appendText(pending: Pending, text: string, max: number = MAX_KEPT): void {
  const free = Math.max(Math.floor(max) - pending.text.length, 0)
  pending.text += text.length <= free ? text : detachedStart(text, free)
  pending.beyond += Math.max(text.length - free, 0)
}

/** Returns the first characters as a copy: a slice keeps the whole text, which may be a frame of MiB, in memory. */
const detachedStart = (text: string, length: number): string =>
  Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')

/** Adds the content of another `Pending`; returns `pending`. */
export function append(pending: Pending, { text, beyond, seconds, imageTokens }: Pending, max?: number): Pending {
  appendText(pending, text, max)
  pending.beyond += beyond
  pending.seconds += seconds
  pending.imageTokens += imageTokens
  return pending
}

export const lengthOf = ({ text, beyond }: Pending): number => text.length + beyond

/** How input is measured: the rate of recordings, and the tokens of an image. */
export type InputMeasure = Readonly<{ bytesASecond: number; imageTokens: (url: unknown, detail: unknown) => number }>

/** Adds the input of a caller's event: instructions, tools, texts, images and recordings. */
export function addInputEvent(
  { type, session, item, response }: JsonObject,
  input: Pending,
  measure: InputMeasure,
): void {
  if (type === 'session.update') appendText(input, wordsOf(session))
  else if (type === 'response.create') {
    appendText(input, wordsOf(response))
    for (const given of objectsIn(objectIn(response).input)) addItem(given, input, measure)
  } else if (type === 'conversation.item.create') addItem(objectIn(item), input, measure)
}

function addItem(
  { content, output, arguments: argumentText }: JsonObject,
  input: Pending,
  measure: InputMeasure,
): void {
  for (const part of objectsIn(content)) {
    appendText(input, textIn(part.text) ?? textIn(part.transcript) ?? '')
    input.seconds += audioBytes(part.audio) / measure.bytesASecond
    if (part.image_url !== undefined) input.imageTokens += measure.imageTokens(part.image_url, part.detail)
  }
  appendText(input, `${textIn(output) ?? ''}${textIn(argumentText) ?? ''}`)
}

function wordsOf(value: unknown): string {
  const { instructions, tools } = objectIn(value)
  return `${textIn(instructions) ?? ''}${tools === undefined ? '' : plainJson(tools)}`
}

/** Estimated tokens of text and images. */
export const readTokens = (pending: Pending): number =>
  Math.ceil(lengthOf(pending) / CHARACTERS_PER_TOKEN) + pending.imageTokens

/** Estimated tokens, at least one for every three characters. */
export const roughTokens = ({ text, beyond, seconds, imageTokens }: Pending): number =>
  Math.ceil((text.length + beyond) / 3) + audioOutputTokens(seconds) + imageTokens

export type Count = (texts: readonly string[]) => Promise<TokenCount>

/** The usage of input and output (docs/reference/billing.md#audio). */
export async function counted(count: Count, input: Pending, output: Pending): Promise<Usage> {
  const [prompt, completion] = await Promise.all([count([input.text]), count([output.text])])
  const audioInput = audioInputTokens(input.seconds)
  const audioOutput = audioOutputTokens(output.seconds)
  const guessed = audioInput + audioOutput + input.beyond + output.beyond + input.imageTokens
  const isExact = prompt.source === 'counted' && completion.source === 'counted' && guessed === 0
  return usageOf({
    prompt: prompt.tokens + Math.ceil(input.beyond / CHARACTERS_PER_TOKEN) + audioInput + input.imageTokens,
    completion: completion.tokens + Math.ceil(output.beyond / CHARACTERS_PER_TOKEN) + audioOutput,
    audioInput,
    imageInput: input.imageTokens,
    audioOutput,
    source: isExact ? 'counted' : 'estimated',
  })
}
