import type { Clock } from '../../base/clock.ts'
import type { Answer } from '../model/answer.ts'
import type { Arrival } from '../model/request-context.ts'
import type { Patience } from '../model/cancellation.ts'
import type { Sweep, Watched } from '../delivery/stream-supervisor.ts'
import { UpstreamError } from './upstream-error.ts'

export type LimitDeps = Readonly<{
  sweep: Sweep
  clock: Clock
  /** The longest that one call to an upstream may take in all (RELAY_TIMEOUT), in milliseconds; 0 for no limit. */
  longestCallMs: number
}>

/**
 * Runs one call to an upstream up to its answer, within what it may take in all; `untilMs` of the answer says how long it
 * may go on. A call that takes longer throws `UpstreamError` 504: nothing has reached the caller, another may be asked.
 */
export const withinLimit = (deps: LimitDeps, arrival: Arrival, call: UpstreamCall): Promise<Answer> =>
  deps.longestCallMs === 0 ? call(arrival) : limited(deps, arrival, call)

type UpstreamCall = (arrival: Arrival) => Promise<Answer>

async function limited(
  { sweep, clock, longestCallMs }: LimitDeps,
  arrival: Arrival,
  call: UpstreamCall,
): Promise<Answer> {
  const untilMs = clock.monotonic() + longestCallMs
  const patience = new LimitedPatience(arrival.patience, untilMs)
  const leave = sweep.watch(patience)
  try {
    return { ...(await call({ ...arrival, patience })), untilMs }
  } catch (cause) {
    throw patience.isLate ? lateError(longestCallMs, cause) : cause
  } finally {
    leave()
  }
}

const lateError = (ms: number, cause: unknown): UpstreamError =>
  new UpstreamError(504, `the upstream took longer than ${ms / 1000} s in all (RELAY_TIMEOUT)`, {
    transport: true,
    cause,
  })

/** The caller's patience, which also ends with the time of one call. */
class LimitedPatience implements Patience, Watched {
  over: boolean
  isLate = false
  listener: { abandon(): void } | undefined = undefined
  readonly #untilMs: number

  constructor(caller: Patience, untilMs: number) {
    this.over = caller.over
    this.#untilMs = untilMs
    caller.listener = this
  }

  turn(nowMs: number): void {
    if (this.over || nowMs < this.#untilMs) return
    this.isLate = true
    this.abandon()
  }

  abandon(): void {
    if (this.over) return
    this.over = true
    this.listener?.abandon()
  }
}
