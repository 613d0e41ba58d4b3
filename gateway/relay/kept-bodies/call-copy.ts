import type { Clock } from '../../base/clock.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { keyFrom } from '../admission/credentials.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { AnswerCopy, type CopyRoom, copyOf, NOT_TEXT } from './body-copy.ts'
import type { BodyWriter } from './body-writer.ts'
import type { KeptFacts } from './sealed-bodies.ts'

type BodyCopyDeps = Readonly<{
  writer: Pick<BodyWriter, 'takes' | 'add'>
  room: CopyRoom
  clock: Pick<Clock, 'monotonic'>
  /** The most of one body, in bytes. */
  maxSize: number
}>

/** The bodies of one call while it goes on; what ends it is `keep` or `drop`, whichever comes first. A class: one is made for each call. */
export class BodyCopy {
  readonly #deps: BodyCopyDeps
  readonly #context: RequestContext
  readonly #caller: Caller
  readonly #answer: AnswerCopy
  #isOver = false

  /** Copies what is answered from now on. */
  constructor(deps: BodyCopyDeps, context: RequestContext, caller: Caller) {
    this.#deps = deps
    this.#context = context
    this.#caller = caller
    this.#answer = new AnswerCopy(context.response, deps.maxSize, deps.room)
  }

  /** Has them written soon. Never throws, and nobody waits for it. */
  keep(call: Call, channel: ActiveChannel | undefined): void {
    const { writer, room, clock, maxSize } = this.#deps
    if (this.#isOver || !writer.takes()) {
      this.drop()
      return
    }
    this.#isOver = true
    const request = call.form ? NOT_TEXT : copyOf(call.bytes, maxSize, room)
    const facts = factsOf(this.#context, this.#caller, call, clock)
    writer.add({ facts, request, answer: this.#answer.take(), secrets: secretsOf(this.#context, channel) })
  }

  /** They are not kept. */
  drop(): void {
    this.#isOver = true
    this.#answer.drop()
  }
}

/** A caller that left before there was any status. */
const CLIENT_GONE = 499

function factsOf(context: RequestContext, caller: Caller, call: Call, clock: BodyCopyDeps['clock']): KeptFacts {
  const { response, requestId, path, query, at, startedMs } = context
  return {
    request_id: requestId,
    user_id: caller.account.id,
    created_at: at,
    model: call.model,
    // Of the query nothing else says what is asked for, and Gemini's may hold the key.
    path: new URLSearchParams(query).get('alt') === 'sse' ? `${path}?alt=sse` : path,
    is_stream: call.stream ? 1 : 0,
    status: response.headersSent ? response.statusCode : CLIENT_GONE,
    duration_ms: Math.round(clock.monotonic() - startedMs),
  }
}

/** Shorter keys are common words. */
const MIN_SECRET_LENGTH = 8

/** The keys of a call, which nobody is to find in its bodies: the caller's and the channel's. */
function secretsOf({ request, path, query }: RequestContext, channel: ActiveChannel | undefined): readonly string[] {
  const own = keyFrom(request.headers, path, query)?.key
  const parts = channel ? [channel.key, ...channel.key.split('|')] : []
  return [...(own === undefined ? [] : [own]), ...parts].filter(({ length }) => length >= MIN_SECRET_LENGTH)
}
