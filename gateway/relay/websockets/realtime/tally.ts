import { type JsonObject, objectIn, parsed, textIn } from '../../../base/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import { plainSound, type Sound, soundBytes, soundOf } from '../../tokenizer/sound.ts'
import {
  addInputEvent,
  appendText,
  type Count,
  counted,
  emptyPending,
  isNothing,
  type Pending,
  roughTokens,
} from './pending.ts'
import { realtimeUsage } from './usage.ts'

/** Reads along what a session says, and tells what it has used. */
export interface Tally {
  fromCaller(text: string): void
  /** False for an event of an answer whose figures have counted: it comes after the answer's end. */
  fromUpstream(event: JsonObject): boolean
  /** Tokens of the answer under way, what it has heard included, on the safe side. */
  underWay(): number
  /** An answer is under way, or was when it broke off. */
  isAnswering(): boolean
  /** Tells what an answer that broke off has used; resolves once everything is counted. */
  finish(): Promise<void>
}

export type TallyDeps = Readonly<{
  count: Count
  /** Told of every usage; `model` is another one than the session's where a transcription has its own. */
  used: (usage: Usage, model: string | undefined) => void
  /** Told of a fault of ours; the frames pass all the same. */
  failed: (error: unknown) => void
}>

/** What has been taken in since the last figures; `buffered` seconds of sound may still be taken back. */
type UnbilledTurn = { heard: Pending; said: Pending; buffered: number; answering: boolean }
const emptyTurn = (): UnbilledTurn => ({ heard: emptyPending(), said: emptyPending(), buffered: 0, answering: false })

/**
 * Adds up the usage that the upstream tells with every answer and transcription; where it tells none, text and sound
 * that went by since the last figures are counted; one with `isTranscription` writes down and does not answer
 * (docs/reference/billing.md#sound,
 * docs/reference/streams.md#realtime-sessions).
 */
export function createTally({
  isTranscription,
  count,
  used,
  failed,
}: TallyDeps & Readonly<{ isTranscription: boolean }>): Tally {
  let unbilled = emptyTurn()
  let sound = plainSound
  let transcriber: string | undefined
  const counting = new Set<Promise<void>>()

  /** The figures for all that was taken in, the upstream's or the gateway's own. */
  const answered = (usage: Usage | undefined, model?: string) => {
    const { heard, said, buffered } = unbilled
    unbilled = emptyTurn()
    if (usage) return used(usage, model)
    if (isNothing(said)) return
    const input = { ...heard, seconds: heard.seconds + buffered }
    const work = counted(count, input, said)
      .then((own) => used(own, model))
      .catch(failed)
    counting.add(work)
    void work.finally(() => counting.delete(work))
  }
  /** A transcription is what its session is for, or comes beside the answers; it has the price of its own model. */
  const transcribed = ({ usage, transcript }: JsonObject) => {
    const known = realtimeUsage(usage)
    if (!isTranscription) return known && used(known, transcriber)
    appendText(unbilled.said, textIn(transcript) ?? '')
    answered(known, transcriber)
  }
  const configured = (session: unknown) => {
    sound = soundOf(session, sound)
    transcriber = transcriberIn(session) ?? transcriber
  }
  const over = new EndedAnswers()
  const take = (type: string, event: JsonObject) => {
    listen(unbilled, sound, type, event)
    if (SESSIONS.test(type)) configured(event.session)
    else if (type === ANSWERED) answered(realtimeUsage(objectIn(event.response).usage))
    else if (type === TRANSCRIBED) transcribed(event)
  }
  return {
    fromCaller(text) {
      const event = objectIn(parsed(text))
      if (event.type === 'input_audio_buffer.append') unbilled.buffered += soundBytes(event.audio) / sound.heard
      else addInputEvent(event, unbilled.heard, sound.heard)
    },
    fromUpstream(event) {
      const type = String(event.type)
      if (over.has(event)) return false
      try {
        take(type, event)
      } catch (error) {
        failed(error)
      }
      over.note(type, event)
      return true
    },
    underWay: () => (isNothing(unbilled.said) ? 0 : roughTokens(unbilled.said) + roughTokens(unbilled.heard)),
    isAnswering: () => unbilled.answering,
    async finish() {
      if (!isTranscription) answered(undefined)
      await Promise.all(counting)
    },
  }
}

/** The answers and transcriptions that are over, by their ids: the latest of them, since nobody talks of older ones. */
class EndedAnswers {
  readonly #ids: string[] = []

  has({ response_id, response, item_id, type }: JsonObject): boolean {
    const answer = textIn(response_id) ?? textIn(objectIn(response).id)
    return this.#knows(answer) || (TRANSCRIBED === type && this.#knows(textIn(item_id)))
  }

  note(type: string, { response, item_id }: JsonObject): void {
    const id = type === ANSWERED ? textIn(objectIn(response).id) : textIn(item_id)
    if (id === undefined || (type !== ANSWERED && type !== TRANSCRIBED)) return
    this.#ids.push(id)
    if (this.#ids.length > MAX_IDS) this.#ids.shift()
  }

  #knows(id: string | undefined): boolean {
    return id !== undefined && this.#ids.includes(id)
  }
}

const MAX_IDS = 100
const ANSWERED = 'response.done'
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed'

/** Takes in what an event of the upstream says, or tells of the sound that waits. */
function listen(unbilled: UnbilledTurn, sound: Sound, type: string, { delta }: JsonObject): void {
  if (SOUNDS.has(type)) unbilled.said.seconds += soundBytes(delta) / sound.said
  else if (TEXTS.has(type)) appendText(unbilled.said, textIn(delta) ?? '')
  else if (type === 'input_audio_buffer.cleared') unbilled.buffered = 0
  else if (type === 'response.created') unbilled.answering = true
  else if (type === 'input_audio_buffer.committed') {
    unbilled.heard.seconds += unbilled.buffered
    unbilled.buffered = 0
  }
}

/** Events of the general interface, and of the beta where that names them otherwise. */
const SESSIONS = /^(transcription_)?session\.(created|updated)$/
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
