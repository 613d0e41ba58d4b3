import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Usage } from '../../../billing/usage.ts'
import { reasoningIn } from '../../metering/silence.ts'
import { createConversation, type Reading } from './conversation.ts'
import {
  addInputEvent,
  append,
  appendText,
  emptyPending,
  type InputMeasure,
  isNothing,
  lengthOf,
  MAX_KEPT,
  type Pending,
  readTokens,
  roughTokens,
} from './pending.ts'
import { idIn } from './transcripts.ts'

/** The input of a response itself, and of the conversation when it began, unless another response pays for it. */
type Prompt = { readonly own: Pending; readonly heard: Pending }

/** A response that has begun; one outside the conversation may have a separate prompt. */
type Answer = {
  readonly prompt: Prompt
  readonly output: Pending
  readonly reading: Reading
  isOutside: boolean
  /** When it began, in monotonic milliseconds, and how long it was silent before its first output. */
  readonly sinceMs: number
  silentMs: number | undefined
}

/**
 * The active responses of a session, by id. The vendor reads the conversation for every response; each part is measured
 * once: a new response gets the input since the previous one began, and what it does not pay for passes to the next
 * that began after it (docs/reference/streams.md#concurrent-responses).
 */
export interface Answers {
  /** Adds the input of a caller's event. */
  hear(event: JsonObject, measure: InputMeasure): void
  hearAudio(seconds: number): void
  /** Begins the response of an event if it is unknown. */
  begin(event: JsonObject): unknown
  /** Adds output: a text, or seconds of audio. */
  say(event: JsonObject, text: string, seconds?: number): void
  /** Bills the response that an event ends: its usage, or a measurement if it has none. */
  end(event: JsonObject, usage: Usage | undefined): void
  /** Bills open responses; if the caller left, also those without output. */
  endAll(hasLeft: boolean): void
  /** Upper estimate of the tokens of all active responses with output, prompts included. */
  tokens(): number
  /** Estimated tokens of the text and images that no response has begun to read. */
  unreadTokens(): number
  isEmpty(): boolean
  /** Whether a response was requested or has begun, and has not ended. */
  isAwaited(): boolean
  /** The upstream has refused a request: the next response to begin may not belong to a waiting request. */
  forgetRequests(): void
}

/**
 * Measured in addition to a response's own input and output: tokens that earlier responses have paid for and the
 * upstream has read again, and hidden reasoning.
 */
export type Unseen = Readonly<{ reread: number; reasoning: number }>

type AnswersDeps = Readonly<{
  figures: (usage: Usage) => void
  measure: (heard: Pending, output: Pending, unseen: Unseen) => void
  /** Monotonic milliseconds. */
  now: () => number
  /** Whether the model may reason without showing it. */
  reasons: boolean
}>

export function createAnswers({ figures, measure, now, reasons }: AnswersDeps): Answers {
  const open = new UntrustedMap<string, Answer>()
  let waiting = newPrompt()
  /** Ids of responses measured before their end: their later output is measured too. */
  const measured: string[] = []
  const conversation = createConversation()
  const finish = (key: string, answer: Answer, usage: Usage | undefined, reread = 0, hasLeft = false): void => {
    const { prompt, output } = answer
    const next = following(open, key)
    open.delete(key)
    const isMeasured = !usage && (hasLeft || !isNothing(output))
    if (usage) figures(usage)
    if (usage) conversation.report(answer.reading, usage.prompt)
    const reasoning = reasons ? reasoningIn(answer.silentMs ?? now() - answer.sinceMs) : 0
    if (isMeasured) measure(append(prompt.own, prompt.heard), output, { reread, reasoning })
    const isPaid = isMeasured || (usage !== undefined && covers(usage, prompt))
    if (!isPaid) append((next?.prompt ?? waiting).own, prompt.own)
    if (isPaid && !(usage && answer.isOutside)) return
    append((next?.prompt ?? waiting).heard, prompt.heard)
    conversation.pass(prompt.heard, next?.reading)
  }
  /** Bills the oldest response, to limit the active ones. */
  const finishOldest = ([key, answer]: readonly [string, Answer]): void => {
    if (!isNothing(answer.output)) measured.push(key)
    if (measured.length > MAX_MEASURED) measured.shift()
    finish(key, answer, undefined, answer.reading.tokens)
  }
  const of = (key: string): Answer => {
    const known = open.get(key) ?? named(open, key)
    if (known) return known
    const [oldest] = open
    if (oldest && open.size >= MAX_OPEN) finishOldest(oldest)
    const response = newAnswer(waiting, conversation.read(waiting.heard, measured.includes(key)), now())
    waiting = newPrompt()
    open.set(key, response)
    return response
  }
  const begin = (event: JsonObject): Answer => {
    const answer = of(keyOf(open, event))
    // OpenAI's API reference, "Realtime server events": null if the response was requested with `conversation: none`.
    if (objectIn(event.response).conversation_id === null) answer.isOutside = true
    return answer
  }
  return {
    hear(event, measure) {
      const input = emptyPending()
      addInputEvent(event, input, measure)
      if (event.type === 'response.create') conversation.request(event)
      append(event.type === 'response.create' ? waiting.own : waiting.heard, input, MAX_KEPT / (open.size + 1))
    },
    hearAudio(seconds) {
      waiting.heard.seconds += seconds
    },
    begin,
    say(event, text, seconds = 0) {
      const answer = begin(event)
      answer.silentMs ??= now() - answer.sinceMs
      appendText(answer.output, text, MAX_KEPT / open.size)
      answer.output.seconds += seconds
    },
    end(event, usage) {
      const answer = begin(event)
      const key = keyOf(open, event)
      finish(key, answer, key !== UNNAMED && measured.includes(key) ? undefined : usage)
    },
    endAll(hasLeft) {
      for (const [key, answer] of open) finish(key, answer, undefined, answer.reading.tokens, hasLeft)
    },
    tokens: () => [...open.values()].reduce((tokens, answer) => tokens + activeTokens(answer), 0),
    unreadTokens: () => readTokens(waiting.own) + readTokens(waiting.heard),
    isEmpty: () => open.size === 0,
    isAwaited: () => open.size > 0 || conversation.isRequested(),
    forgetRequests: conversation.forgetRequests,
  }
}

const activeTokens = ({ prompt, output }: Answer): number =>
  isNothing(output) ? 0 : roughTokens(output) + roughTokens(prompt.own) + roughTokens(prompt.heard)

const newAnswer = (prompt: Prompt, reading: Reading, sinceMs: number): Answer => ({
  prompt,
  output: emptyPending(),
  reading,
  isOutside: false,
  sinceMs,
  silentMs: undefined,
})

const newPrompt = (): Prompt => ({ own: emptyPending(), heard: emptyPending() })

/** Max active responses, and max remembered ids of those measured early. */
const MAX_OPEN = 32
const MAX_MEASURED = 100
/**
 * Max characters per token: a usage with too few tokens for the measured prompt at this ratio belongs to a response
 * with another prompt, or to one that began before this input.
 */
const MAX_CHARACTERS_PER_TOKEN = 16

const covers = ({ prompt }: Usage, { own, heard }: Prompt): boolean =>
  prompt * MAX_CHARACTERS_PER_TOKEN >= lengthOf(own) + lengthOf(heard)

const UNNAMED = ''

/** The key of the response that an event belongs to: the latest response if the event names none. */
function keyOf(open: UntrustedMap<string, Answer>, { response_id, response }: JsonObject): string {
  return idIn(response_id) ?? idIn(objectIn(response).id) ?? [...open.keys()].at(-1) ?? UNNAMED
}

/** Gives the response without an id its id. */
function named(open: UntrustedMap<string, Answer>, key: string): Answer | undefined {
  const answer = open.get(UNNAMED)
  if (!answer) return undefined
  open.delete(UNNAMED)
  open.set(key, answer)
  return answer
}

/** The active response that began next after this one. */
function following(open: UntrustedMap<string, Answer>, key: string): Answer | undefined {
  const keys = [...open.keys()]
  const next = keys[keys.indexOf(key) + 1]
  return next === undefined ? undefined : open.get(next)
}
