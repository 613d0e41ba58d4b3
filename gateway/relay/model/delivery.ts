import type { Hold } from '../../billing/ledger.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import type { Caller } from './caller.ts'
import type { Attempt, Skipped } from './outcome.ts'
import type { Plan } from './plan.ts'
import type { RequestContext } from './request-context.ts'

/** A request with its answer, ready to be sent on and charged. */
export type Delivery = Readonly<{
  context: RequestContext
  caller: Caller
  call: Call
  plan: Plan
  hold: Hold
  answer: Answer
  attempts: readonly Attempt[]
  skipped: readonly Skipped[]
}>
