import { GatewayError } from '../../../base/errors.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import type { Hold, Ledger } from '../../../billing/ledger.ts'
import type { PriceBook } from '../../../billing/price.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { priceBeside } from '../../admission/model-rights.ts'
import { askOf } from '../../admission/reservation.ts'
import { type ChargeDeps, chargeRequest, reportSettled } from '../../metering/charge.ts'
import type { ChargedRequest } from '../../model/answer.ts'
import type { Call } from '../../model/call.ts'
import type { Ending } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan.ts'
import type { RequestContext } from '../../model/request-context.ts'
import { sum } from './usage.ts'

/** A session that may begin: who has it, what for, and what is set aside. */
export type HeldSession = ChargedRequest & Readonly<{ hold: Hold }>

export type SessionMeterDeps = Pick<ChargeDeps, 'clock' | 'settings' | 'settled'> &
  Readonly<{ prices: () => PriceBook; ledger: Ledger }>

/** One model's part of a session; its hold may come a moment later, and its usage is the session's own where none comes. */
type SessionPart = { call: Call; plan: Plan; hold: Hold | Promise<void>; context: RequestContext; usage: Usage }

/** Whether anything was used of it. */
export const isUsed = ({ usage: { prompt, completion } }: SessionPart): boolean => prompt + completion > 0

/** What the models of a session have used, each at its own price (docs/reference/streams.md#realtime-sessions). */
interface SessionParts {
  all(): readonly SessionPart[]
  /** The part that a model's tokens belong to; without a name the session's own. */
  of(model: string | undefined): SessionPart
  /** What a part costs by now, in quota. */
  owed(part: SessionPart): number
  checkpoint(firstByteMs: number): void
  /** Charges everything, once; resolves when that is durable. */
  settle(ending: Ending, firstByteMs: number): MaybePromise<void>
}

/** Models of one session besides its own; what others use counts as the session's own. */
const MAX_BESIDE = 8

/** Begins with the session's own part, under its reservation. */
export function openParts(deps: SessionMeterDeps, admitted: HeldSession): SessionParts {
  const { context, call, plan, hold } = admitted
  const own: SessionPart = { call, plan, hold, context, usage: usageOf({}) }
  const beside = new Map<string, SessionPart>()
  const charge = (part: SessionPart, ending: Ending, firstByteMs: number) =>
    chargeRequest(deps, requestOf(admitted, part), part.usage, ending, firstByteMs)
  const all = () => [own, ...beside.values()]
  const remember = (part: SessionPart): SessionPart => {
    beside.set(part.call.model, part)
    return part
  }
  /** The part that a model's tokens belong to. */
  const of = (model: string | undefined): SessionPart => {
    if (model === undefined || model === call.model || model === admitted.upstreamModel) return own
    const known = beside.get(model)
    if (known) return known
    const opened = beside.size < MAX_BESIDE ? openPart(deps, admitted, model, beside.size + 1) : undefined
    if (!opened) return own
    const { hold: coming } = opened
    if (!(coming instanceof Promise)) return remember({ ...opened, hold: coming })
    const part: SessionPart = { ...opened, hold: coming.then(arrived, refused) }
    function arrived(hold: Hold): void {
      part.hold = hold
    }
    function refused(): void {
      beside.delete(part.call.model)
      own.usage = sum(own.usage, part.usage)
    }
    return remember(part)
  }
  return {
    all,
    of,
    owed: (part) => charge(part, 'stopped', 0).quota,
    checkpoint(firstByteMs) {
      for (const part of all())
        if (isUsed(part) && !(part.hold instanceof Promise)) part.hold.checkpoint(charge(part, 'stopped', firstByteMs))
    },
    settle(ending, firstByteMs) {
      const chargeAll = (): MaybePromise<void> => {
        const others = [...beside.values()].filter(isUsed)
        for (const part of beside.values()) if (!isUsed(part) && !(part.hold instanceof Promise)) part.hold.release()
        // Where all that was used is another model's, there is nothing to write down of the session's own.
        if (others.length > 0 && !isUsed(own) && plan.price.fixed === null) hold.release()
        const settled = [own, ...others].map((part) =>
          part.hold instanceof Promise ? undefined : part.hold.settle(charge(part, ending, firstByteMs)),
        )
        const report = () => reportSettled(deps, admitted, own.usage, charge(own, ending, firstByteMs).quota)
        return whenKnown(allOf(settled), report)
      }
      return whenKnown(allOf(all().map((part) => part.hold)), chargeAll)
    },
  }
}

/** Resolves with the promises among these; at once where there are none. */
function allOf(values: readonly unknown[]): MaybePromise<unknown> {
  const coming = values.filter((value) => value instanceof Promise)
  return coming.length === 0 ? undefined : Promise.all(coming)
}

/** A part at the price of its own model; none where it may not be used, or nothing can be set aside for it. */
function openPart(deps: SessionMeterDeps, { context, caller, call, plan }: HeldSession, model: string, number: number) {
  const requestId = `${context.requestId}-${number}`
  try {
    const price = priceBeside({ settings: deps.settings, prices: deps.prices }, caller, plan.group, model)
    const part = { call: { ...call, model }, plan: { ...plan, price }, context: { ...context, requestId } }
    return { ...part, hold: deps.ledger.hold(askOf(deps.settings, caller, requestId, 0)), usage: usageOf({}) }
  } catch (cause) {
    if (cause instanceof GatewayError) return undefined
    throw cause
  }
}

/** A part as it is charged: of another model than the session's under that one's name. */
const requestOf = (admitted: HeldSession, { context, call, plan }: SessionPart): ChargedRequest => ({
  ...admitted,
  context,
  call,
  plan,
  upstreamModel: call.model === admitted.call.model ? admitted.upstreamModel : call.model,
})
