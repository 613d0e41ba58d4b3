import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { messageIn, messagesIn } from '../../formats/gemini/message.ts'
import { usageIn } from '../../formats/gemini/usage.ts'
import { IMAGE_TOKENS } from '../../metering/non-text-output.ts'
import { audioBytes } from '../../tokenizer/audio.ts'
import { plainJson } from '../../tokenizer/plain-json.ts'
import { appendText, type Count, type Pending } from '../realtime/pending.ts'

/** Tokens per second of audio if the upstream reports none (Gemini API, "Understand and count tokens"). */
const AUDIO_TOKENS = 25
/** Samples per second of input and output if the MIME type has no rate; each is two bytes. */
const INPUT_RATE = 16_000
const OUTPUT_RATE = 24_000

/** The usage in a session's message, whose output count has another name; undefined if implausible. */
export function liveUsage(value: unknown): Usage | undefined {
  const wire = messageIn(value)
  const { responseTokenCount, responseTokensDetails } = wire
  const own = responseTokenCount === undefined ? {} : { candidatesTokenCount: responseTokenCount }
  const details = responseTokensDetails === undefined ? {} : { candidatesTokensDetails: responseTokensDetails }
  return usageIn({ ...wire, ...own, ...details }, 0)
}

export function addInput(message: JsonObject, input: Pending): void {
  const { setup, clientContent, realtimeInput, toolResponse } = message
  if (setup !== undefined) {
    const { systemInstruction, tools } = messageIn(setup)
    addParts(input, messageIn(systemInstruction).parts, INPUT_RATE)
    if (tools !== undefined) appendText(input, plainJson(tools))
  }
  for (const turn of messagesIn(messageIn(clientContent).turns)) addParts(input, turn.parts, INPUT_RATE)
  const { audio, video, text, mediaChunks } = messageIn(realtimeInput)
  for (const blob of [audio, video, ...objectsIn(mediaChunks)]) addBlob(input, messageIn(blob), INPUT_RATE)
  appendText(input, textIn(text) ?? '')
  if (toolResponse !== undefined) appendText(input, plainJson(toolResponse))
}

/**
 * Adds the output of an upstream's message; returns false if it has none. Transcripts of the model's own speech repeat
 * it and do not count.
 */
export function addOutput({ serverContent, toolCall }: JsonObject, output: Pending): boolean {
  const { parts } = messageIn(messageIn(serverContent).modelTurn)
  const calls = messagesIn(messageIn(toolCall).functionCalls)
  addParts(output, parts, OUTPUT_RATE)
  for (const { name, args } of calls) appendText(output, `${textIn(name) ?? ''}${plainJson(objectIn(args))}`)
  return messagesIn(parts).length > 0 || calls.length > 0
}

/** Audio that the upstream has transcribed and no step has read, and its text. */
export type Transcribed = Readonly<{ audio: Pending; text: Pending }>

/** Adds the transcript of an upstream's message, if any; it belongs to the audio received so far. */
export function addTranscript({ serverContent }: JsonObject, { audio, text }: Transcribed, received: Pending): void {
  const more = textIn(messageIn(messageIn(serverContent).inputTranscription).text) ?? ''
  if (more === '') return
  appendText(text, more)
  audio.seconds += received.seconds
  received.seconds = 0
}

function addParts(pending: Pending, parts: unknown, rate: number): void {
  for (const part of messagesIn(parts)) {
    appendText(pending, textIn(part.text) ?? '')
    appendText(pending, textIn(messageIn(part.executableCode).code) ?? '')
    appendText(pending, textIn(messageIn(part.codeExecutionResult).output) ?? '')
    addBlob(pending, messageIn(part.inlineData), rate)
  }
}

function addBlob(pending: Pending, { data, mimeType }: JsonObject, rate: number): void {
  const type = textIn(mimeType) ?? ''
  if (data === undefined) return
  if (type.startsWith('image/') || type.startsWith('video/')) pending.imageTokens += IMAGE_TOKENS
  else pending.seconds += audioBytes(data) / (2 * (Number(/rate=(\d{4,6})/.exec(type)?.[1]) || rate))
}

/** Estimated tokens, at least one for every three characters. */
export const roughly = ({ text, beyond, seconds, imageTokens }: Pending): number =>
  Math.ceil((text.length + beyond) / 3) + audioTokens(seconds) + imageTokens

const audioTokens = (seconds: number): number => Math.ceil(seconds * AUDIO_TOKENS)

/**
 * The usage of a step that reported none; `context` is what the upstream read again, `reasoning` the tokens of hidden
 * reasoning (docs/reference/streams.md#live-sessions).
 */
export async function estimated(
  count: Count,
  context: Usage,
  { input, output, reasoning = 0 }: Readonly<{ input: Pending; output: Pending; reasoning?: number }>,
): Promise<Usage> {
  const [prompt, completion] = await Promise.all([count([input.text]), count([output.text])])
  const [audioInput, audioOutput] = [audioTokens(input.seconds), audioTokens(output.seconds)]
  return usageOf({
    prompt: context.prompt + prompt.tokens + Math.ceil(input.beyond / 4) + audioInput + input.imageTokens,
    completion: completion.tokens + Math.ceil(output.beyond / 4) + audioOutput + reasoning,
    cacheRead: context.cacheRead,
    reasoning,
    audioInput: context.audioInput + audioInput,
    imageInput: context.imageInput + input.imageTokens,
    audioOutput,
    source: 'estimated',
  })
}
