import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Hold } from '../billing/ledger.ts'
import type { ActiveChannel } from '../channels/registry/active-channel.ts'
import type { RateTicket } from '../limits/model-rates.ts'
import { type AdmitDeps, admitCall, admitCaller } from './admission/admit.ts'
import { cappedToHold } from './admission/cap-output.ts'
import { enterGate, type GateDeps } from './admission/credentials.ts'
import { type MeasureDeps, remeasured, reserve } from './admission/reservation.ts'
import type { BodyCopy } from './kept-bodies/call-copy.ts'
import type { ChargedRequest } from './model/answer.ts'
import type { Call } from './model/call.ts'
import type { Caller, Requester } from './model/caller.ts'
import type { Attempt, Skipped } from './model/outcome.ts'
import type { Plan } from './model/plan.ts'
import type { RequestContext } from './model/request-context.ts'
import { knownConversation, Route, type RouteDeps } from './routing/route.ts'

export type RequestDeps = AdmitDeps & GateDeps & MeasureDeps & RouteDeps

type AdmittedCall = Readonly<{ call: Call; plan: Plan }>

/**
 * A call limited to the output that its reservation covers, with the reservation and its route through the channels.
 */
export type ReservedCall = Readonly<{ caller: Caller; call: Call; plan: Plan; hold: Hold; route: Route }>

/**
 * A relayed request: its facts so far, which its log row shows if it fails, and the stages before it is sent.
 * They run in this order: `enter`, `admit`, `withReservation`. Plain calls, streams, sessions and tasks share them.
 */
export class RelayedRequest {
  readonly context: RequestContext
  readonly attempts: Attempt[] = []
  readonly skipped: Skipped[] = []
  caller: Caller | undefined
  /** The call as received. */
  call: Call | undefined
  plan: Plan | undefined
  /** The last channel that was tried. */
  channel: ActiveChannel | undefined
  /** The copy of its bodies (docs/reference/bodies.md), if one is stored. */
  copy: BodyCopy | undefined
  /** The request failed and was charged: the row of its charge replaces that of the failure. */
  isCharged = false
  readonly #deps: RequestDeps
  #suffix: string | null = null
  #ticket: RateTicket | undefined

  constructor(deps: RequestDeps, context: RequestContext) {
    this.#deps = deps
    this.context = context
  }

  /** Runs the checks that need no body (docs/reference/errors.md#refusals). */
  async enter(identify: () => MaybePromise<Requester>): Promise<Requester> {
    const found = identify()
    const requester = found instanceof Promise ? await found : found
    const { caller, suffix } = requester
    this.caller = caller
    this.#suffix = suffix
    admitCaller(this.#deps, caller, this.context, suffix)
    const ticket = enterGate(this.#deps, caller)
    this.#ticket = ticket instanceof Promise ? await ticket : ticket
    return requester
  }

  /** Runs the checks that need the call (docs/reference/errors.md#refusals). */
  admit(caller: Caller, call: Call): AdmittedCall {
    this.call = call
    this.plan = admitCall(this.#deps, caller, call, this.#suffix)
    return { call, plan: this.plan }
  }

  /**
   * Reserves quota (docs/reference/billing.md#hold), counts the call toward the limits of its token and passes the
   * reserved call to `work`; releases what `work` has not charged. `conversationKey` is the conversation that the call
   * continues, if any (docs/reference/selection.md#affinity).
   */
  async withReservation(
    caller: Caller,
    { call, plan: admitted }: AdmittedCall,
    conversationKey: string | undefined,
    work: (reserved: ReservedCall) => Promise<void>,
  ): Promise<void> {
    const deps = this.#deps
    const { context } = this
    this.plan = admitted
    if (caller.limits?.needsPreparing) await caller.limits.prepare()
    const known = knownConversation(deps, conversationKey, admitted)
    const conversation = known instanceof Promise ? await known : known
    const held = reserve(deps, context, caller, admitted)
    const reserved = { plan: admitted, hold: held instanceof Promise ? await held : held }
    const isShort = reserved.hold.quota < admitted.holdQuota
    const { plan, hold } = isShort ? await remeasured(deps, context, caller, call, reserved) : reserved
    const affordable = cappedToHold(call, plan, hold)
    const route = new Route(deps, affordable, plan, this, conversation, caller)
    try {
      const counting = caller.limits?.admit()
      if (counting instanceof Promise) await counting
      await work({ caller, call: affordable, plan, hold, route })
    } finally {
      route.end()
      hold.release()
    }
  }

  /** Counts the request as one with a response (docs/reference/limits.md#model-requests). */
  succeed(): void {
    this.#ticket?.succeed()
  }

  /** Counts the request as one without a response, unless it had one. */
  fail(): void {
    this.#ticket?.fail()
  }

  /** What a charge of the request records; a cached response has the channel 0. */
  charged({ caller, call, plan }: AdmittedCall & { caller: Caller }, channelId: number, model: string): ChargedRequest {
    const { context, attempts, skipped, copy } = this
    const isKept = copy !== undefined
    return { context, caller, call, plan, attempts, skipped, channelId, upstreamModel: model, isKept }
  }
}
