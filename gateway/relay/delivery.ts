import type { Hold } from '../billing/ledger.ts'
import type { Plan } from './admit.ts'
import type { Answer } from './answer.ts'
import type { Arrival } from './arrival.ts'
import type { Caller } from './identify.ts'
import type { KeepAlive } from './keep-alive.ts'
import type { Attempt, Skipped } from './record.ts'
import type { Call } from './understand.ts'

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
