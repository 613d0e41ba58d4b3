import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Hold } from '../billing/ledger.ts'
import { type AdmitDeps, admitCaller } from './admission/admit.ts'
import { cappedToHold } from './admission/cap-output.ts'
import { enterGate, type GateDeps } from './admission/credentials.ts'
import { type MeasureDeps, remeasured, reserve } from './admission/reservation.ts'
import type { RequestProgress } from './delivery/failure.ts'
import type { Call } from './model/call.ts'
import type { Caller, Requester } from './model/caller.ts'
import type { Plan } from './model/plan.ts'
import type { RequestContext } from './model/request-context.ts'
import { knownConversation, Route, type RouteDeps } from './routing/route.ts'

export type LifeCycleDeps = AdmitDeps & GateDeps & MeasureDeps & RouteDeps

/** An admitted call, before its reservation. */
export type AdmittedCall = Readonly<{
  context: RequestContext
  caller: Caller
  call: Call
  plan: Plan
  progress: RequestProgress
  /** The conversation that the call continues (docs/reference/selection.md#affinity), if any. */
  conversationKey: string | undefined
}>

/** A call with its reservation, limited to the output that it covers, and its route through the channels. */
export type ReservedCall = Readonly<{ call: Call; plan: Plan; hold: Hold; route: Route }>

/** Runs the checks that need no body (docs/reference/errors.md#refusals). */
export async function enter(
  deps: LifeCycleDeps,
  context: RequestContext,
  identify: () => MaybePromise<Requester>,
  progress: RequestProgress,
): Promise<Requester> {
  const found = identify()
  const requester = found instanceof Promise ? await found : found
  progress.caller = requester.caller
  admitCaller(deps, requester.caller, context, requester.suffix)
  const turn = enterGate(deps, requester.caller)
  progress.turn = turn instanceof Promise ? await turn : turn
  return requester
}

/**
 * Reserves quota (docs/reference/billing.md#hold), counts the call toward its limits and passes both to `work`;
 * releases what `work` has not charged. Plain calls, streams and realtime sessions differ only in `work`.
 */
export async function withHold(
  deps: LifeCycleDeps,
  { context, caller, call, plan: admitted, progress, conversationKey }: AdmittedCall,
  work: (held: ReservedCall) => Promise<void>,
): Promise<void> {
  if (caller.limits?.isReady === false) await caller.limits.prepare()
  const known = knownConversation(deps, conversationKey, admitted)
  const conversation = known instanceof Promise ? await known : known
  const held = reserve(deps, context, caller, admitted)
  const reserved = { plan: admitted, hold: held instanceof Promise ? await held : held }
  const isShort = reserved.hold.quota < admitted.holdQuota
  const { plan, hold } = isShort ? await remeasured(deps, context, caller, call, reserved) : reserved
  const affordable = cappedToHold(call, plan, hold)
  const route = new Route(deps, affordable, plan, progress, conversation)
  try {
    const counting = caller.limits?.admit()
    if (counting instanceof Promise) await counting
    await work({ call: affordable, plan, hold, route })
  } finally {
    route.end()
    hold.release()
  }
}
