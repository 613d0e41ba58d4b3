import { type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import type { Counted } from '../../tokens/counter.ts'
import { heardTokens, plainSound, saidTokens, soundBytes, soundOf } from './sound.ts'
import { realtimeUsage } from './usage.ts'

/** Reads along what a session says, and tells what it has used. */
export interface Tally {
  fromCaller(text: string): void
  fromUpstream(text: string): void
  /** An answer is under way, or was when it broke off. */
  isAnswering(): boolean
  /** Tells what an answer that broke off has used; resolves once everything is counted. */
  finish(): Promise<void>
}

export type TallyDeps = Readonly<{
  /** A session that writes down and does not answer. */
  isTranscription: boolean
  count: (texts: readonly string[]) => Promise<Counted>
  /** Told of every usage; `model` is another one than the session's where a transcription has its own. */
  used: (usage: Usage, model: string | undefined) => void
}>

/** What has been heard or said since the last figures: text, characters beyond what is kept, seconds of sound. */
type Pending = { text: string; beyond: number; seconds: number }
const nothing = (): Pending => ({ text: '', beyond: 0, seconds: 0 })

/** Characters that are kept to be counted exactly; a token for every four beyond. */
const KEPT = 256 * 1024
const CHARACTERS_A_TOKEN = 4

function write(pending: Pending, text: string): void {
  if (pending.text.length + text.length <= KEPT) pending.text += text
  else pending.beyond += text.length
}

/**
 * Adds up the usage that the upstream tells with every answer and transcription; where it tells none, text and sound that
 * went by since the last figures are counted (spec/relay.md §6.4, §7.5).
 */
export function createTally({ isTranscription, count, used }: TallyDeps): Tally {
  let sound = plainSound
  let transcriber: string | undefined
  let heard = nothing()
  let buffered = 0
  let said = nothing()
  let answering = false
  const counting = new Set<Promise<void>>()

  const forget = () => {
    heard = nothing()
    said = nothing()
    buffered = 0
    answering = false
  }
  const countPending = () => {
    const [input, output] = [{ ...heard, seconds: heard.seconds + buffered }, said]
    forget()
    if (output.text === '' && output.beyond === 0 && output.seconds === 0) return
    const work = counted(count, input, output).then((usage) => used(usage, undefined))
    counting.add(work)
    void work.finally(() => counting.delete(work))
  }
  const answered = (usage: Usage | undefined) => {
    if (!usage) return countPending()
    forget()
    used(usage, undefined)
  }
  const transcribed = ({ usage, transcript }: JsonObject) => {
    const known = realtimeUsage(usage)
    if (known && !isTranscription) return used(known, transcriber)
    if (!isTranscription) return
    if (!known) write(said, textIn(transcript) ?? '')
    answered(known)
  }
  const configured = (session: unknown) => {
    sound = soundOf(session, sound)
    transcriber = transcriberIn(session) ?? transcriber
  }
  const upstream: Readonly<Record<string, (event: JsonObject) => void>> = {
    'session.created': ({ session }) => configured(session),
    'session.updated': ({ session }) => configured(session),
    'transcription_session.created': ({ session }) => configured(session),
    'transcription_session.updated': ({ session }) => configured(session),
    'input_audio_buffer.committed': () => {
      heard.seconds += buffered
      buffered = 0
    },
    'input_audio_buffer.cleared': () => {
      buffered = 0
    },
    'response.created': () => {
      answering = true
    },
    'response.done': ({ response }) => answered(realtimeUsage(objectIn(response).usage)),
    'conversation.item.input_audio_transcription.completed': transcribed,
  }
  return {
    fromCaller(text) {
      const event = objectIn(parsed(text))
      if (event.type === 'input_audio_buffer.append') buffered += soundBytes(event.audio) / sound.heard
      else tell(event, heard, sound.heard)
    },
    fromUpstream(text) {
      const event = objectIn(parsed(text))
      const type = String(event.type)
      if (!type.endsWith('.delta')) return upstream[type]?.(event)
      if (SOUNDS.has(type)) said.seconds += soundBytes(event.delta) / sound.said
      else if (TEXTS.has(type)) write(said, textIn(event.delta) ?? '')
    },
    isAnswering: () => answering,
    async finish() {
      if (!isTranscription) countPending()
      await Promise.all(counting)
    },
  }
}

const SOUNDS = new Set(['response.output_audio.delta', 'response.audio.delta'])
const TEXTS = new Set([
  'response.output_text.delta',
  'response.text.delta',
  'response.output_audio_transcript.delta',
  'response.audio_transcript.delta',
  'response.function_call_arguments.delta',
])

/** The model that writes down what is heard, where the session names one. */
function transcriberIn(session: unknown): string | undefined {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  return textIn(objectIn(objectIn(objectIn(audio).input).transcription ?? beta).model)
}

/** Adds what a caller's event gives to hear: instructions, tools, texts and recordings. */
function tell({ type, session, item, response }: JsonObject, heard: Pending, bytesASecond: number): void {
  if (type === 'session.update') write(heard, wordsOf(session))
  else if (type === 'response.create') write(heard, wordsOf(response))
  else if (type === 'conversation.item.create') {
    const { content, output, arguments: given } = objectIn(item)
    for (const part of objectsIn(content)) {
      write(heard, textIn(part.text) ?? textIn(part.transcript) ?? '')
      heard.seconds += soundBytes(part.audio) / bytesASecond
    }
    write(heard, `${textIn(output) ?? ''}${textIn(given) ?? ''}`)
  }
}

function wordsOf(value: unknown): string {
  const { instructions, tools } = objectIn(value)
  return `${textIn(instructions) ?? ''}${tools === undefined ? '' : JSON.stringify(tools)}`
}

async function counted(count: TallyDeps['count'], input: Pending, output: Pending): Promise<Usage> {
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
