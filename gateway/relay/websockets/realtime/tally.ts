import type { GatewayError } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { Ending } from '../../model/outcome.ts'
import { plainSound, type Sound, soundBytes, soundOf } from '../../tokenizer/sound.ts'
import { type Answers, createAnswers } from './answers.ts'
import { appendText, type Count, counted, emptyPending, isNothing, lengthOf, type Pending } from './pending.ts'
import { Transcriber } from './transcriber.ts'
import { createTranscripts, idIn, type Transcribing, type Transcript } from './transcripts.ts'
import { realtimeUsage } from './usage.ts'

/** Reads along what a session says, and tells what it has used. */
export interface Tally {
  /** Throws a refusal of an event that names a model which may not write down. */
  fromCaller(event: JsonObject): void
  /** False for an event of an answer whose figures have counted: it comes after the answer's end. */
  fromUpstream(event: JsonObject): boolean
  /** Tokens of the answers under way, what they have heard included, on the safe side. */
  underWay(): number
  /** Estimated tokens of the text that the caller has sent and no answer has begun to read. */
  unreadTokens(): number
  /** What the transcriptions under way have come to. */
  transcribing(): readonly Transcribing[]
  /** An answer or a transcription is under way, or was when it broke off. */
  isAnswering(): boolean
  /** Tells what answers and transcriptions that broke off have used; resolves once everything is counted. */
  finish(ending: Ending): Promise<void>
}

export type TallyDeps = Readonly<{
  count: Count
  /** How many of an answer's searches are charged. */
  paidSearches: (searches: number) => number
  /** Told of every usage; `model` is another one than the session's where a transcription has its own. */
  used: (usage: Usage, model: string | undefined) => void
  /** Refuses a model that may not write down what is heard. */
  admit: (model: string) => void
  /** Told why the session may not go on. */
  refused: (error: GatewayError) => void
  /** Told of a fault of ours; the frames pass all the same. */
  failed: (error: unknown) => void
}>

/** Seconds of sound that may still be taken back, and how many of them have come since the last figures. */
type WaitingSound = { seconds: number; unbilled: number }

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
  admit,
  refused,
  failed,
}: Omit<TallyDeps, 'paidSearches'> & Readonly<{ isTranscription: boolean }>): Tally {
  const waiting: WaitingSound = { seconds: 0, unbilled: 0 }
  let sound = plainSound
  const transcripts = createTranscripts()
  const transcriber = new Transcriber(admit, refused)
  const { measure, measured } = createMeasuring({ count, used, failed })
  const answers = createAnswers({
    figures(usage) {
      waiting.unbilled = 0
      used(usage, undefined)
    },
    // What waits counts as heard: an upstream may answer sound without a word of its commit.
    measure: (heard, said) => measure({ ...heard, seconds: heard.seconds + takenUnbilled(waiting) }, said),
  })
  /** A transcription has the price of the model that wrote it; the upstream's figures, or what was heard and written. */
  const written = ({ model, seconds, said }: Transcript, usage?: Usage) => {
    if (usage) return used(usage, model)
    if (seconds > 0 || !isNothing(said)) measure({ ...emptyPending(), seconds }, said, model)
  }
  const transcribed = ({ item_id, usage, transcript: all }: JsonObject) => {
    const transcript = transcripts.take(item_id, transcriber.model)
    if (isTranscription && transcript.seconds === 0) transcript.seconds = taken(waiting)
    appendText(transcript.said, (textIn(all) ?? '').slice(lengthOf(transcript.said)))
    written(transcript, realtimeUsage(usage))
  }
  const committed = ({ item_id }: JsonObject) => {
    const seconds = taken(waiting)
    if (!isTranscription) answers.hearSound(seconds)
    if (isTranscription || transcriber.isAtWork) transcripts.commit(item_id, transcriber.model, seconds)
  }
  const over = new EndedAnswers()
  const take = (type: string, event: JsonObject) => {
    if (type === COMMITTED || type.startsWith(TRANSCRIPTION)) transcriber.begins()
    if (type === CLEARED) taken(waiting)
    listen(answers, sound, type, event)
    if (SESSIONS.test(type)) {
      sound = soundOf(event.session, sound)
      transcriber.told(event.session)
    } else if (type === ANSWERED) answers.end(event, realtimeUsage(objectIn(event.response).usage))
    else if (type === COMMITTED) committed(event)
    else if (type === WRITTEN) transcripts.write(event.item_id, transcriber.model, textIn(event.delta) ?? '')
    else if (type === TRANSCRIBED) transcribed(event)
    else if (type === UNWRITTEN) billWritten(transcripts.take(event.item_id, undefined))
  }
  const billWritten = (transcript: Transcript) => {
    if (!isNothing(transcript.said)) written(transcript)
  }
  return {
    fromCaller(event) {
      transcriber.asked(event)
      if (event.type === 'input_audio_buffer.append') wait(waiting, soundBytes(event.audio) / sound.heard)
      else answers.hear(event, sound.heard)
    },
    fromUpstream(event) {
      const type = textIn(event.type) ?? ''
      if (over.has(type, event)) return false
      try {
        take(type, event)
      } catch (error) {
        failed(error)
      }
      over.note(type, event)
      return true
    },
    underWay: () => answers.tokens(),
    unreadTokens: () => answers.unreadTokens(),
    transcribing: () => transcripts.underWay(),
    isAnswering: () => !answers.isEmpty() || transcripts.underWay().some(({ said }) => said > 0),
    async finish(ending) {
      if (!isTranscription) answers.endAll()
      const bill = ending === 'upstream-broken' ? billWritten : written
      for (const transcript of transcripts.takeAll()) bill(transcript)
      await measured()
    },
  }
}

/** Tells the usage that what was heard and said comes to, once that is counted; `measured` resolves once all of it is. */
function createMeasuring({ count, used, failed }: Pick<TallyDeps, 'count' | 'used' | 'failed'>) {
  const counting = new Set<Promise<void>>()
  return {
    measure(input: Pending, output: Pending, model?: string) {
      const work = counted(count, input, output)
        .then((own) => used(own, model))
        .catch(failed)
      counting.add(work)
      void work.finally(() => counting.delete(work))
    },
    measured: () => Promise.all(counting),
  }
}

/** The answers and transcriptions that are over, by their ids: the latest of them, since nobody talks of older ones. */
class EndedAnswers {
  readonly #ids: string[] = []

  has(type: string, { response_id, response, item_id }: JsonObject): boolean {
    const answer = idIn(response_id) ?? idIn(objectIn(response).id)
    return this.#knows(answer) || (type.startsWith(TRANSCRIPTION) && this.#knows(idIn(item_id)))
  }

  note(type: string, { response, item_id }: JsonObject): void {
    const id = type === ANSWERED ? idIn(objectIn(response).id) : idIn(item_id)
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
const COMMITTED = 'input_audio_buffer.committed'
const CLEARED = 'input_audio_buffer.cleared'
const TRANSCRIPTION = 'conversation.item.input_audio_transcription.'
const WRITTEN = `${TRANSCRIPTION}delta`
const TRANSCRIBED = `${TRANSCRIPTION}completed`
const UNWRITTEN = `${TRANSCRIPTION}failed`

function wait(waiting: WaitingSound, seconds: number): void {
  waiting.seconds += seconds
  waiting.unbilled += seconds
}

/** Takes out what has come since the last figures. */
function takenUnbilled(waiting: WaitingSound): number {
  const { unbilled } = waiting
  waiting.seconds -= unbilled
  waiting.unbilled = 0
  return unbilled
}

/** Takes out all that waits. */
function taken(waiting: WaitingSound): number {
  const { seconds } = waiting
  waiting.seconds = 0
  waiting.unbilled = 0
  return seconds
}

/** Takes in what an event of the upstream says, or that it begins to. */
function listen(answers: Answers, sound: Sound, type: string, event: JsonObject): void {
  if (SOUNDS.has(type)) answers.begin(event).said.seconds += soundBytes(event.delta) / sound.said
  else if (TEXTS.has(type)) answers.say(event, textIn(event.delta) ?? '')
  else if (type === 'response.created') answers.begin(event)
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
