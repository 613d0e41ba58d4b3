import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import { createConversation, type Reading } from './conversation.ts'
import {
  addInputEvent,
  append,
  appendText,
  emptyPending,
  isNothing,
  lengthOf,
  MAX_KEPT,
  type Pending,
  roughTokens,
  textTokens,
} from './pending.ts'
import { idIn } from './transcripts.ts'

/** The input of a response itself, and of the conversation when it began, unless another response pays for it. */
type Prompt = { readonly asked: Pending; readonly heard: Pending }

/** A response that has begun; one outside the conversation may have a separate prompt. */
type Answer = {
  readonly prompt: Prompt
  readonly said: Pending
  readonly reading: Reading
  isOutside: boolean
}

/**
 * The active responses of a session, by id. The vendor reads the conversation for every response; each part is measured
 * once: a new response gets the input since the previous one began, and what it does not pay for passes to the next
 * that began after it (docs/reference/streams.md#concurrent-responses).
 */
export interface Answers {
  /** Adds the input of a caller's event; `bytesASecond` is the rate of recordings. */
  hear(event: JsonObject, bytesASecond: number): void
  hearAudio(seconds: number): void
  /** The response of an event; begins one if unknown. */
  begin(event: JsonObject): Answer
  say(event: JsonObject, text: string): void
  /** Bills the response that an event ends: its usage, or a measurement if it has none. */
  end(event: JsonObject, usage: Usage | undefined): void
  endAll(): void
  /** Upper estimate of the tokens of all active responses with output, prompts included. */
  tokens(): number
  /** Estimated tokens of the text that no response has begun to read. */
  unreadTokens(): number
  isEmpty(): boolean
  /** Whether a response was requested or has begun, and has not ended. */
  isAwaited(): boolean
  /** The upstream has refused a request: the next response to begin may not belong to a waiting request. */
  forgetRequests(): void
}

/** `reread` are tokens that earlier responses have paid for, and the upstream has read again. */
type Bill = Readonly<{
  figures: (usage: Usage) => void
  measure: (heard: Pending, said: Pending, reread: number) => void
}>

export function createAnswers({ figures, measure }: Bill): Answers {
  const open = new Map<string, Answer>()
  let waiting = newPrompt()
  /** Ids of responses measured before their end: their later output is measured too. */
  const measured: string[] = []
  const conversation = createConversation()
  const finish = (key: string, answer: Answer, usage: Usage | undefined, reread = 0): void => {
    const { prompt, said } = answer
    const next = following(open, key)
    const payer = next?.prompt ?? waiting
    open.delete(key)
    const isMeasured = !usage && !isNothing(said)
    if (usage) figures(usage)
    if (usage) conversation.report(answer.reading, usage.prompt)
    if (isMeasured) measure(append(prompt.asked, prompt.heard), said, reread)
    const isPaid = isMeasured || (usage !== undefined && covers(usage, prompt))
    if (!isPaid) append(payer.asked, prompt.asked)
    if (isPaid && !(usage && answer.isOutside)) return
    append(payer.heard, prompt.heard)
    conversation.pass(prompt.heard, next?.reading)
  }
  /** Bills the oldest response, to limit the active ones. */
  const finishOldest = (): void => {
    const [oldest] = open
    if (!oldest) return
    const [key, answer] = oldest
    if (!isNothing(answer.said)) measured.push(key)
    if (measured.length > MAX_MEASURED) measured.shift()
    finish(key, answer, undefined, answer.reading.tokens)
  }
  const of = (key: string): Answer => {
    const known = open.get(key) ?? named(open, key)
    if (known) return known
    if (open.size >= MAX_OPEN) finishOldest()
    const reading = conversation.read(waiting.heard, measured.includes(key))
    const response = { prompt: waiting, said: emptyPending(), reading, isOutside: false }
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
    hear(event, bytesASecond) {
      const input = emptyPending()
      addInputEvent(event, input, bytesASecond)
      if (event.type === 'response.create') conversation.request(event)
      append(event.type === 'response.create' ? waiting.asked : waiting.heard, input, MAX_KEPT / (open.size + 1))
    },
    hearAudio(seconds) {
      waiting.heard.seconds += seconds
    },
    begin,
    say: (event, text) => appendText(begin(event).said, text, MAX_KEPT / open.size),
    end(event, usage) {
      const answer = begin(event)
      const key = keyOf(open, event)
      finish(key, answer, key !== UNNAMED && measured.includes(key) ? undefined : usage)
    },
    endAll() {
      for (const [key, answer] of open) finish(key, answer, undefined, answer.reading.tokens)
    },
    tokens: () => [...open.values()].reduce((tokens, answer) => tokens + activeTokens(answer), 0),
    unreadTokens: () => textTokens(waiting.asked) + textTokens(waiting.heard),
    isEmpty: () => open.size === 0,
    isAwaited: () => open.size > 0 || conversation.isRequested(),
    forgetRequests: conversation.forgetRequests,
  }
}

const activeTokens = ({ prompt, said }: Answer): number =>
  isNothing(said) ? 0 : roughTokens(said) + roughTokens(prompt.asked) + roughTokens(prompt.heard)

const newPrompt = (): Prompt => ({ asked: emptyPending(), heard: emptyPending() })

/** Active responses, and remembered ids of those measured early. */
const MAX_OPEN = 32
const MAX_MEASURED = 100
/**
 * Characters per token at most: a usage below that belongs to a response with another prompt, or one that began before
 * this input.
 */
const MAX_CHARACTERS_PER_TOKEN = 16

const covers = ({ prompt }: Usage, { asked, heard }: Prompt): boolean =>
  prompt * MAX_CHARACTERS_PER_TOKEN >= lengthOf(asked) + lengthOf(heard)

const UNNAMED = ''

/** The response of an event; the latest if the event names none. */
function keyOf(open: ReadonlyMap<string, Answer>, { response_id, response }: JsonObject): string {
  return idIn(response_id) ?? idIn(objectIn(response).id) ?? [...open.keys()].at(-1) ?? UNNAMED
}

/** Gives the response without an id its id. */
function named(open: Map<string, Answer>, key: string): Answer | undefined {
  const answer = open.get(UNNAMED)
  if (!answer) return undefined
  open.delete(UNNAMED)
  open.set(key, answer)
  return answer
}

/** The active response that began next after this one. */
function following(open: ReadonlyMap<string, Answer>, key: string): Answer | undefined {
  const keys = [...open.keys()]
  const next = keys[keys.indexOf(key) + 1]
  return next === undefined ? undefined : open.get(next)
}
