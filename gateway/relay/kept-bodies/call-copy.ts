import type { Clock } from '../../base/clock.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { keyFrom } from '../admission/credentials.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { AnswerCopy, type CopyBudget, copyOf, NOT_TEXT } from './body-copy.ts'
import type { BodyWriter } from './body-writer.ts'
import type { KeptFacts } from './sealed-bodies.ts'

type BodyCopyDeps = Readonly<{
  writer: Pick<BodyWriter, 'takes' | 'add'>
  budget: CopyBudget
  clock: Pick<Clock, 'monotonic'>
  /** Max bytes of one body. */
  maxSize: number
}>

/** The bodies of an active call; the first call of `keep` or `drop` ends it. A class: one is created per call. */
export class BodyCopy {
  readonly #deps: BodyCopyDeps
  readonly #context: RequestContext
  readonly #caller: Caller
  readonly #answer: AnswerCopy
  #isOver = false

  constructor(deps: BodyCopyDeps, context: RequestContext, caller: Caller) {
    this.#deps = deps
    this.#context = context
    this.#caller = caller
    this.#answer = new AnswerCopy(context.response, deps.maxSize, deps.budget)
  }

  /** Queues the bodies for writing. Never throws. */
  keep(call: Call, channel: ActiveChannel | undefined): void {
    const { writer, budget: memory, clock, maxSize } = this.#deps
    if (this.#isOver || !writer.takes()) {
      this.drop()
      return
    }
    this.#isOver = true
    const request = call.form ? NOT_TEXT : copyOf(call.bytes, maxSize, memory)
    const facts = factsOf(this.#context, this.#caller, call, clock)
    writer.add({ facts, request, answer: this.#answer.take(), secrets: secretsOf(this.#context, channel) })
  }

  drop(): void {
    this.#isOver = true
    this.#answer.drop()
  }
}

/** The status of a call whose caller left before there was one. */
const CLIENT_GONE = 499

function factsOf(context: RequestContext, caller: Caller, call: Call, clock: BodyCopyDeps['clock']): KeptFacts {
  const { response, requestId, path, query, at, startedMs } = context
  return {
    request_id: requestId,
    user_id: caller.account.id,
    created_at: at,
    model: call.model,
    // Only the part of the query that nothing else records; Gemini's query may contain the key.
    path: new URLSearchParams(query).get('alt') === 'sse' ? `${path}?alt=sse` : path,
    is_stream: call.stream ? 1 : 0,
    status: response.headersSent ? response.statusCode : CLIENT_GONE,
    duration_ms: Math.round(clock.monotonic() - startedMs),
  }
}

const MIN_SECRET_LENGTH = 8

/** The keys of a call, to be masked in its bodies: the caller's and the channel's. */
function secretsOf({ request, path, query }: RequestContext, channel: ActiveChannel | undefined): readonly string[] {
  const own = keyFrom(request.headers, path, query)?.key
  const parts = channel ? [channel.key, ...channel.key.split('|')] : []
  return [...(own === undefined ? [] : [own]), ...parts].filter(({ length }) => length >= MIN_SECRET_LENGTH)
}
