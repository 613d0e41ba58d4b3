import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { messageIn, messagesIn } from '../../formats/gemini/message.ts'
import { usageIn } from '../../formats/gemini/usage.ts'
import { PICTURE_TOKENS } from '../../metering/besides-text.ts'
import { plainJson } from '../../tokenizer/plain-json.ts'
import { soundBytes } from '../../tokenizer/sound.ts'
import { appendText, type Count, emptyPending, type Pending } from '../realtime/pending.ts'

/** What a step of a session has heard or said: text, sound, pictures. */
export type Heard = Pending & { pictures: number }

/** Nothing yet. */
export const nothingHeard = (): Heard => ({ ...emptyPending(), pictures: 0 })

/** Whether nothing has come yet. */
export const isSilent = ({ text, beyond, seconds, pictures }: Heard): boolean =>
  text === '' && beyond + seconds + pictures === 0

/** Tokens of a second of sound, where the upstream tells none (Gemini API, "Understand and count tokens"). */
const SOUND_TOKENS = 25
/** Samples a second where the sound's type names none, as it comes in and as it goes out; each is two bytes. */
const HEARD_RATE = 16_000
const SAID_RATE = 24_000

/** The figures of a session's message, which has its output under a name of its own; undefined where none can be believed. */
export function liveUsage(value: unknown): Usage | undefined {
  const wire = messageIn(value)
  const { responseTokenCount, responseTokensDetails } = wire
  const own = responseTokenCount === undefined ? {} : { candidatesTokenCount: responseTokenCount }
  const details = responseTokensDetails === undefined ? {} : { candidatesTokensDetails: responseTokensDetails }
  return usageIn({ ...wire, ...own, ...details }, 0)
}

/** Adds what a caller's message gives to hear. */
export function addInput(message: JsonObject, heard: Heard): void {
  const { setup, clientContent, realtimeInput, toolResponse } = message
  if (setup !== undefined) {
    const { systemInstruction, tools } = messageIn(setup)
    addParts(heard, messageIn(systemInstruction).parts, HEARD_RATE)
    if (tools !== undefined) appendText(heard, plainJson(tools))
  }
  for (const turn of messagesIn(messageIn(clientContent).turns)) addParts(heard, turn.parts, HEARD_RATE)
  const { audio, video, text, mediaChunks } = messageIn(realtimeInput)
  for (const blob of [audio, video, ...objectsIn(mediaChunks)]) addBlob(heard, messageIn(blob), HEARD_RATE)
  appendText(heard, textIn(text) ?? '')
  if (toolResponse !== undefined) appendText(heard, plainJson(toolResponse))
}

/** Adds what an upstream's message says; false where it says nothing. What it writes down of its own voice is the same again. */
export function addOutput({ serverContent, toolCall }: JsonObject, said: Heard): boolean {
  const { parts } = messageIn(messageIn(serverContent).modelTurn)
  const calls = messagesIn(messageIn(toolCall).functionCalls)
  addParts(said, parts, SAID_RATE)
  for (const { name, args } of calls) appendText(said, `${textIn(name) ?? ''}${plainJson(objectIn(args))}`)
  return messagesIn(parts).length > 0 || calls.length > 0
}

function addParts(pending: Heard, parts: unknown, rate: number): void {
  for (const part of messagesIn(parts)) {
    appendText(pending, textIn(part.text) ?? '')
    addBlob(pending, messageIn(part.inlineData), rate)
  }
}

function addBlob(pending: Heard, { data, mimeType }: JsonObject, rate: number): void {
  const type = textIn(mimeType) ?? ''
  if (data === undefined) return
  if (type.startsWith('image/') || type.startsWith('video/')) pending.pictures += 1
  else pending.seconds += soundBytes(data) / (2 * (Number(/rate=(\d{4,6})/.exec(type)?.[1]) || rate))
}

/** Tokens that these come to, at least one for every three characters. */
export const roughly = ({ text, beyond, seconds, pictures }: Heard): number =>
  Math.ceil((text.length + beyond) / 3) + soundTokens(seconds) + pictures * PICTURE_TOKENS

const soundTokens = (seconds: number): number => Math.ceil(seconds * SOUND_TOKENS)

/** The usage that a step without figures comes to (docs/reference/streams.md#live-sessions). */
export async function estimated(count: Count, heard: Heard, said: Heard): Promise<Usage> {
  const [prompt, completion] = await Promise.all([count([heard.text]), count([said.text])])
  const [audioInput, audioOutput] = [soundTokens(heard.seconds), soundTokens(said.seconds)]
  const imageInput = heard.pictures * PICTURE_TOKENS
  return usageOf({
    prompt: prompt.tokens + Math.ceil(heard.beyond / 4) + audioInput + imageInput,
    completion: completion.tokens + Math.ceil(said.beyond / 4) + audioOutput,
    audioInput,
    imageInput,
    audioOutput,
    source: 'estimated',
  })
}
