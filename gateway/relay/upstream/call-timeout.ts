import type { Clock } from '../../base/clock.ts'
import type { Answer } from '../model/answer.ts'
import type { Cancellation, Ticker, Timed } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'
import { UpstreamError } from './upstream-error.ts'

export type LimitDeps = Readonly<{
  supervisor: Ticker
  clock: Clock
  /** Maximum total duration of one upstream call (RELAY_TIMEOUT), in milliseconds; 0 for no limit. */
  maxCallMs: number
}>

/**
 * Runs one upstream call until its response starts, within the total limit; `untilMs` of the response is its deadline.
 * A call that takes longer throws `UpstreamError` 504: nothing has reached the caller, so another channel may be tried
 * unless the vendor bills the call.
 */
export const withCallTimeout = (deps: LimitDeps, context: RequestContext, call: UpstreamCall): Promise<Answer> =>
  deps.maxCallMs === 0 ? call(context) : limited(deps, context, call)

type UpstreamCall = (context: RequestContext) => Promise<Answer>

async function limited(
  { supervisor, clock, maxCallMs }: LimitDeps,
  context: RequestContext,
  call: UpstreamCall,
): Promise<Answer> {
  const untilMs = clock.monotonic() + maxCallMs
  const cancellation = new TimedCancellation(context.cancellation, untilMs)
  const leave = supervisor.watch(cancellation)
  try {
    return { ...(await call({ ...context, cancellation })), untilMs }
  } catch (cause) {
    throw cancellation.isLate ? lateError(maxCallMs, cause) : cause
  } finally {
    leave()
  }
}

function lateError(ms: number, cause: unknown): UpstreamError {
  const { isBilled = false, usage, earlierUsage } = cause instanceof UpstreamError ? cause : {}
  const message = `the upstream took longer than ${ms / 1000} s in all (RELAY_TIMEOUT)`
  return new UpstreamError(504, message, { transport: true, isBilled, usage, cause }).after(earlierUsage)
}

/** The caller's cancellation, combined with the deadline of one call. */
class TimedCancellation implements Cancellation, Timed {
  ended: boolean
  isLate = false
  listener: Cancellation['listener'] = undefined
  readonly #caller: Cancellation
  readonly #untilMs: number

  constructor(caller: Cancellation, untilMs: number) {
    this.ended = caller.ended
    this.#caller = caller
    this.#untilMs = untilMs
    caller.listener = this
  }

  get over(): boolean {
    return this.ended || this.#caller.over
  }

  sent(): void {
    this.#caller.sent()
  }

  tick(nowMs: number): void {
    if (this.ended || nowMs < this.#untilMs) return
    this.isLate = true
    this.abandon()
  }

  left(): void {
    this.listener?.left?.()
  }

  abandon(): void {
    if (this.ended) return
    this.ended = true
    this.listener?.abandon()
  }
}
