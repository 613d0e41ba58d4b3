import type { GatewayError } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { Ending } from '../../model/outcome.ts'
import { type AudioFormat, audioBytes, audioOf, plainAudio } from '../../tokenizer/audio.ts'
import { type Answers, createAnswers, type Unseen } from './answers.ts'
import {
  appendText,
  type Count,
  counted,
  emptyPending,
  type InputMeasure,
  isNothing,
  lengthOf,
  type Pending,
} from './pending.ts'
import { Transcriber } from './transcriber.ts'
import { createTranscripts, idIn, type Transcribing, type Transcript } from './transcripts.ts'
import { realtimeUsage } from './usage.ts'

export interface Tally {
  /** Throws a refusal if an event names a transcription model that may not be used. */
  fromCaller(event: JsonObject): void
  /** Returns false for an event after the end of its response, whose usage is already counted. */
  fromUpstream(event: JsonObject): boolean
  /** Upper estimate of the tokens of active responses, input included. */
  underWay(): number
  /** Estimated tokens of the text and images that the caller has sent and no response has begun to read. */
  unreadTokens(): number
  transcribing(): readonly Transcribing[]
  /**
   * Whether a response, or a transcription with output, has begun and not ended, even if the session has broken off.
   */
  isAnswering(): boolean
  /** Whether the figures of a response that was requested or has begun have not arrived yet. */
  isAwaited(): boolean
  /**
   * Reports the usage of responses and transcriptions that broke off, and if the caller left before the figures came,
   * of requested ones without output; resolves once everything is counted.
   */
  finish(ending: Ending, hasLeft?: boolean): Promise<void>
}

export type TallyDeps = Readonly<{
  count: Count
  imageTokens: InputMeasure['imageTokens']
  /** Monotonic milliseconds. */
  now: () => number
  /** Whether the model may reason without showing it. */
  reasons: boolean
  /** How many searches of a response are charged. */
  paidSearches: (searches: number) => number
  /** Called for every usage; `model` is the model of a transcription, if known; undefined for the session's own. */
  used: (usage: Usage, model: string | undefined) => void
  admit: (model: string) => void
  /** Called with the reason if the session may not continue. */
  refused: (error: GatewayError) => void
  /** Called on an internal error; frames still pass. */
  failed: (error: unknown) => void
}>

/** Seconds of audio that may still be cleared, and how many of them arrived since the last usage. */
type WaitingAudio = { seconds: number; unbilled: number }

/**
 * Adds up the usage that the upstream reports with every response and transcription; where it reports none, counts text
 * and audio since the last usage. With `isTranscription`, the session only transcribes
 * (docs/reference/billing.md#audio, docs/reference/streams.md#realtime-sessions).
 */
export function createTally(deps: Omit<TallyDeps, 'paidSearches'> & Readonly<{ isTranscription: boolean }>): Tally {
  const { isTranscription, imageTokens, now, reasons, used, failed } = deps
  const waiting: WaitingAudio = { seconds: 0, unbilled: 0 }
  let format = plainAudio
  const transcripts = createTranscripts()
  const transcriber = new Transcriber(deps.admit, deps.refused)
  const { measure, measured } = createMeasuring(deps)
  const answers = createAnswers({
    figures(usage) {
      waiting.unbilled = 0
      used(usage, undefined)
    },
    // Uncommitted audio counts as input: an upstream may respond without reporting its commit.
    measure: (heard, output, unseen) =>
      measure({ ...heard, seconds: heard.seconds + takenUnbilled(waiting) }, output, undefined, unseen),
    now,
    reasons,
  })
  /** A transcription has its model's price; its usage is the upstream's, or measured from input and output. */
  const written = ({ model, seconds, output }: Transcript, usage?: Usage) => {
    if (usage) return used(usage, model)
    if (seconds > 0 || !isNothing(output)) measure({ ...emptyPending(), seconds }, output, model)
  }
  const transcribed = ({ item_id, usage, transcript: all }: JsonObject) => {
    const transcript = transcripts.take(item_id, transcriber.model)
    if (isTranscription && transcript.seconds === 0) transcript.seconds = taken(waiting)
    appendText(transcript.output, (textIn(all) ?? '').slice(lengthOf(transcript.output)))
    written(transcript, realtimeUsage(usage))
  }
  const committed = ({ item_id }: JsonObject) => {
    const seconds = taken(waiting)
    if (!isTranscription) answers.hearAudio(seconds)
    if (isTranscription || transcriber.isAtWork) transcripts.commit(item_id, transcriber.model, seconds)
  }
  const ended = new EndedAnswers()
  const take = (type: string, event: JsonObject) => {
    if (type === COMMITTED || type.startsWith(TRANSCRIPTION)) transcriber.begins()
    if (type === CLEARED) taken(waiting)
    addUpstreamEvent(answers, format, type, event)
    if (SESSIONS.test(type)) {
      format = audioOf(event.session, format)
      transcriber.confirmed(event.session)
    } else if (type === ANSWERED) answers.end(event, realtimeUsage(objectIn(event.response).usage))
    else if (type === COMMITTED) committed(event)
    else if (type === WRITTEN) transcripts.write(event.item_id, transcriber.model, textIn(event.delta) ?? '')
    else if (type === TRANSCRIBED) transcribed(event)
    else if (type === UNWRITTEN) billWritten(transcripts.take(event.item_id, undefined))
  }
  const billWritten = (transcript: Transcript) => (isNothing(transcript.output) ? undefined : written(transcript))
  return {
    fromCaller(event) {
      transcriber.requested(event)
      if (event.type === 'input_audio_buffer.append') wait(waiting, audioBytes(event.audio) / format.inputBytes)
      else answers.hear(event, { bytesASecond: format.inputBytes, imageTokens })
    },
    fromUpstream(event) {
      const type = textIn(event.type) ?? ''
      if (ended.has(type, event)) return false
      guarded(() => take(type, event), failed)
      ended.note(type, event)
      return true
    },
    underWay: () => answers.tokens(),
    unreadTokens: () => answers.unreadTokens(),
    transcribing: () => transcripts.underWay(),
    isAwaited: () => answers.isAwaited(),
    isAnswering: () => !answers.isEmpty() || transcripts.underWay().some(({ output }) => output > 0),
    async finish(ending, hasLeft = false) {
      // An upstream may respond in a session that should only transcribe.
      if (!isTranscription || answers.isAwaited()) answers.endAll(hasLeft)
      for (const transcript of transcripts.takeAll(ending === 'upstream-broken')) written(transcript)
      await measured()
    },
  }
}

/** Does `work`; an error is reported, and the frame passes. */
export function guarded(work: () => void, failed: TallyDeps['failed']): true {
  try {
    work()
  } catch (error) {
    failed(error)
  }
  return true
}

/** Reports the measured usage of input and output once it is counted; `measured` resolves once all of it is. */
function createMeasuring({ count, used, failed }: Pick<TallyDeps, 'count' | 'used' | 'failed'>) {
  const counting = new Set<Promise<void>>()
  return {
    measure(input: Pending, output: Pending, model?: string, unseen?: Unseen) {
      const work = counted(count, input, output)
        .then((own) => used(unseen ? withUnseen(own, unseen) : own, model))
        .catch(failed)
      counting.add(work)
      void work.finally(() => counting.delete(work))
    },
    measured: () => Promise.all(counting),
  }
}

/** The upstream reads earlier input again from its cache. */
const withUnseen = (own: Usage, { reread, reasoning }: Unseen): Usage =>
  reread + reasoning === 0
    ? own
    : {
        ...own,
        prompt: own.prompt + reread,
        cacheRead: reread,
        completion: own.completion + reasoning,
        reasoning,
        source: 'estimated',
      }

/** Ids of ended responses and transcriptions; only the latest, since events do not refer to older ones. */
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

function wait(waiting: WaitingAudio, seconds: number): void {
  waiting.seconds += seconds
  waiting.unbilled += seconds
}

function takenUnbilled(waiting: WaitingAudio): number {
  const { unbilled } = waiting
  waiting.seconds -= unbilled
  waiting.unbilled = 0
  return unbilled
}

function taken(waiting: WaitingAudio): number {
  const { seconds } = waiting
  waiting.seconds = 0
  waiting.unbilled = 0
  return seconds
}

/** Adds the output of an upstream's event, or starts its response. */
function addUpstreamEvent(answers: Answers, format: AudioFormat, type: string, event: JsonObject): void {
  if (AUDIO_EVENTS.has(type)) answers.say(event, '', audioBytes(event.delta) / format.outputBytes)
  else if (TEXT.test(type)) answers.say(event, textIn(event.delta) ?? '')
  else if (type === 'response.created') answers.begin(event)
  else if (type === 'error') answers.forgetRequests()
}

/** Events of the general interface, and their beta names if different. */
const SESSIONS = /^(transcription_)?session\.(created|updated)$/
const AUDIO_EVENTS = new Set(['response.output_audio.delta', 'response.audio.delta'])
/** Events with pieces of texts, transcripts, arguments of calls, and kinds that are new. */
const TEXT = /^response\..*\.delta$/
