import type { Hold } from '../../billing/ledger.ts'
import type { Plan } from '../admission/admit.ts'
import type { Answer } from './answer.ts'
import type { Arrival } from './request-context.ts'
import type { Caller } from '../admission/identify.ts'
import type { KeepAlive } from '../delivery/keep-alive.ts'
import type { Attempt, Skipped } from '../metering/log-row.ts'
import type { Call } from '../intake/parse.ts'

/** A request with its answer, ready to be sent on and charged. */
export type Delivery = Readonly<{
  arrival: Arrival
  caller: Caller
  call: Call
  plan: Plan
  hold: Hold
  answer: Answer
  attempts: readonly Attempt[]
  skipped: readonly Skipped[]
  /** Keeps the caller's connection in use, where that is wanted. */
  keepAlive: KeepAlive | undefined
}>
