import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
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
} from './pending.ts'
import { idIn } from './transcripts.ts'

/** What an answer was asked with, and what the conversation had heard when it began, as far as no other answer pays for it. */
type Prompt = { readonly asked: Pending; readonly heard: Pending }

/** An answer that has begun; one outside the conversation may have had a prompt of its own. */
type Answer = { readonly prompt: Prompt; readonly said: Pending; isOutside: boolean }

/**
 * The answers of a session that are under way, by their ids. The vendor reads the conversation for every answer; each part
 * of it is measured once: an answer that begins takes what was heard since the one before began, and what it does not pay
 * for goes to the next that began after it (docs/reference/streams.md#concurrent-responses).
 */
export interface Answers {
  /** Takes in what a caller's event gives to hear; recordings have so many bytes a second. */
  hear(event: JsonObject, bytesASecond: number): void
  /** Takes in sound that has become a part of the conversation. */
  hearSound(seconds: number): void
  /** The answer of an event, which begins where it is not known. */
  begin(event: JsonObject): Answer
  say(event: JsonObject, text: string): void
  /** Bills the answer that an event ends: its figures, or the measure of it where there are none. */
  end(event: JsonObject, usage: Usage | undefined): void
  endAll(): void
  /** Tokens of all that have said something, their prompts included, on the safe side. */
  tokens(): number
  isEmpty(): boolean
}

type Bill = Readonly<{ figures: (usage: Usage) => void; measure: (heard: Pending, said: Pending) => void }>

/** None yet. */
export function createAnswers({ figures, measure }: Bill): Answers {
  const open = new Map<string, Answer>()
  let waiting = newPrompt()
  /** Ids of answers that were measured before their end: what they say after it is measured as well. */
  const measured: string[] = []
  const finish = (key: string, answer: Answer, usage: Usage | undefined): void => {
    const { prompt, said } = answer
    const next = following(open, key)?.prompt ?? waiting
    open.delete(key)
    const isMeasured = !usage && !isNothing(said)
    if (usage) figures(usage)
    if (isMeasured) measure(append(prompt.asked, prompt.heard), said)
    const isPaid = isMeasured || (usage !== undefined && covers(usage, prompt))
    if (!isPaid) append(next.asked, prompt.asked)
    if (!isPaid || (usage && answer.isOutside)) append(next.heard, prompt.heard)
  }
  /** Bills the answer that began first, for one more to begin. */
  const finishOldest = (): void => {
    const [oldest] = open
    if (!oldest) return
    const [key, answer] = oldest
    if (!isNothing(answer.said)) measured.push(key)
    if (measured.length > MAX_MEASURED) measured.shift()
    finish(key, answer, undefined)
  }
  const of = (key: string): Answer => {
    const known = open.get(key) ?? named(open, key)
    if (known) return known
    if (open.size >= MAX_OPEN) finishOldest()
    const begun: Answer = { prompt: waiting, said: emptyPending(), isOutside: false }
    waiting = newPrompt()
    open.set(key, begun)
    return begun
  }
  const begin = (event: JsonObject): Answer => {
    const answer = of(keyOf(open, event))
    // OpenAI's API reference, "Realtime server events": null where the answer was asked for with `conversation: none`.
    if (objectIn(event.response).conversation_id === null) answer.isOutside = true
    return answer
  }
  return {
    hear(event, bytesASecond) {
      const given = emptyPending()
      addInputEvent(event, given, bytesASecond)
      append(event.type === 'response.create' ? waiting.asked : waiting.heard, given, MAX_KEPT / (open.size + 1))
    },
    hearSound(seconds) {
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
      for (const [key, answer] of open) finish(key, answer, undefined)
    },
    tokens() {
      let tokens = 0
      for (const { prompt, said } of open.values())
        if (!isNothing(said)) tokens += roughTokens(said) + roughTokens(prompt.asked) + roughTokens(prompt.heard)
      return tokens
    },
    isEmpty: () => open.size === 0,
  }
}

const newPrompt = (): Prompt => ({ asked: emptyPending(), heard: emptyPending() })

/** Answers that are open at once, and ids of those that were billed for one more to begin. */
const MAX_OPEN = 32
const MAX_MEASURED = 100
/** A token is at most so long: figures for less are of an answer that had another prompt, or began before this was heard. */
const MAX_CHARACTERS_A_TOKEN = 16

const covers = ({ prompt }: Usage, { asked, heard }: Prompt): boolean =>
  prompt * MAX_CHARACTERS_A_TOKEN >= lengthOf(asked) + lengthOf(heard)

/** The key of an answer before anything names it. */
const UNNAMED = ''

/** The answer that an event belongs to; one that names none belongs to the latest. */
function keyOf(open: ReadonlyMap<string, Answer>, { response_id, response }: JsonObject): string {
  return idIn(response_id) ?? idIn(objectIn(response).id) ?? [...open.keys()].at(-1) ?? UNNAMED
}

/** The answer that had no name until now. */
function named(open: Map<string, Answer>, key: string): Answer | undefined {
  const answer = open.get(UNNAMED)
  if (!answer) return undefined
  open.delete(UNNAMED)
  open.set(key, answer)
  return answer
}

/** The open answer that began next after this one. */
function following(open: ReadonlyMap<string, Answer>, key: string): Answer | undefined {
  const keys = [...open.keys()]
  const next = keys[keys.indexOf(key) + 1]
  return next === undefined ? undefined : open.get(next)
}
