import { type JsonObject, objectIn, objectsIn } from '../../../base/json/json.ts'
import { audioInputTokens } from '../../tokenizer/audio.ts'
import { type Pending, readTokens } from './pending.ts'

/** What a response reads of the conversation in addition to the input that it is the first to read. */
export type Reading = {
  /** Tokens; 0 if the input of its request replaces the conversation. */
  tokens: number
  readonly isSeparate: boolean
  /** Measured tokens of the whole conversation when the response began. */
  readonly at: number
}

/** Tracks how much of the conversation each response reads again (docs/reference/streams.md#concurrent-responses). */
interface Conversation {
  /** Records a `response.create`. */
  request(event: JsonObject): void
  /** The upstream has refused a request: the next response to begin may not belong to a waiting request. */
  forgetRequests(): void
  isRequested(): boolean
  /** A response begins that is the first to read `heard`, or continues after it was measured. */
  read(heard: Pending, isContinued: boolean): Reading
  /** The upstream has reported the prompt of a response. */
  report(reading: Reading, prompt: number): void
  /** Another response pays for `heard`: `next`, or the one that begins next. */
  pass(heard: Pending, next: Reading | undefined): void
}

export function createConversation(): Conversation {
  /** Whether the input of each request replaces the conversation. */
  const requests: boolean[] = []
  let total = 0
  /** The last prompt that the upstream has reported, and the measured total by then. */
  let reported = { prompt: 0, at: 0 }
  return {
    request(event) {
      if (requests.length < MAX_REQUESTS) requests.push(isSeparate(event))
    },
    forgetRequests() {
      requests.length = 0
    },
    isRequested: () => requests.length > 0,
    read(heard, isContinued) {
      const isSeparate = isContinued || (requests.shift() ?? false)
      const tokens = isSeparate ? 0 : Math.max(reported.prompt + total - reported.at, 0)
      total += tokensOf(heard)
      return { tokens, isSeparate, at: total }
    },
    report({ isSeparate, at }, prompt) {
      if (!isSeparate && at >= reported.at) reported = { prompt, at }
    },
    pass(heard, next) {
      if (next) next.tokens = Math.max(next.tokens - tokensOf(heard), 0)
      else total -= tokensOf(heard)
    },
  }
}

const MAX_REQUESTS = 1000

/**
 * Whether a request has its own input in place of the conversation (OpenAI's API reference, "Realtime client events"),
 * and names no items of it.
 */
function isSeparate({ response }: JsonObject): boolean {
  const { input } = objectIn(response)
  return Array.isArray(input) && objectsIn(input).every(({ type }) => type !== 'item_reference')
}

const tokensOf = (heard: Pending): number => readTokens(heard) + audioInputTokens(heard.seconds)
