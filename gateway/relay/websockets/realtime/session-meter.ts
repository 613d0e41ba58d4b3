import { GatewayError } from '../../../base/errors.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import type { Hold, Ledger } from '../../../billing/ledger.ts'
import { chargeFor, holdFor, outputWithin } from '../../../billing/meter.ts'
import type { PriceBook } from '../../../billing/price.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { askOf } from '../../admission/reservation.ts'
import { type ChargeDeps, chargeRequest, tellSettled } from '../../metering/charge.ts'
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

/** What one session costs: its own model's tokens under its reservation, those of a model that writes down beside it. */
export interface SessionMeter {
  /** Adds what was used; false once the caller has no more to set aside for what comes next. */
  add(usage: Usage, model: string | undefined): boolean
  /** Whether an answer that has come to so many tokens is paid for; asks for more where it is not. */
  covers(tokens: number): boolean
  isEmpty(): boolean
  checkpoint(firstByteMs: number): void
  /** Charges everything, once; answers when that is durable. */
  settle(ending: Ending, firstByteMs: number): MaybePromise<void>
}

/** One model's part of the session; its hold may come a moment later, and its usage is the session's own where none comes. */
type Part = { call: Call; plan: Plan; hold: Hold | Promise<void>; context: RequestContext; usage: Usage }

const isUsed = ({ usage: { prompt, completion } }: Part): boolean => prompt + completion > 0

/** Opens the meter of an admitted session; its reservation is settled, or released where nothing was begun. */
export function openSessionMeter(deps: SessionMeterDeps, admitted: HeldSession): SessionMeter {
  const { context, call, plan, hold } = admitted
  const own: Part = { call, plan, hold, context, usage: usageOf({}) }
  const beside = new Map<string, Part>()
  const { price, quotaPerUnit, extras } = plan
  const leastPrompt = holdFor(MIN_PROMPT, 0, 0, price, quotaPerUnit)
  /** What the next answer costs besides its output: as much as the last one, which it goes on from. */
  let prompt = leastPrompt
  /** Tokens of the answer under way that are paid for. */
  let covered = outputWithin(hold.quota - prompt, 0, price, quotaPerUnit, extras)
  const charge = (part: Part, ending: Ending, firstByteMs: number) =>
    chargeRequest(deps, requestOf(admitted, part), part.usage, ending, firstByteMs)
  const parts = () => [own, ...beside.values()]
  const remember = (part: Part): Part => {
    beside.set(part.call.model, part)
    return part
  }
  /** The part that a model's tokens belong to. */
  const partOf = (model: string | undefined): Part => {
    if (model === undefined || model === call.model || model === admitted.upstreamModel) return own
    const known = beside.get(model)
    if (known) return known
    const opened = beside.size < MAX_BESIDE ? openPart(deps, admitted, model, beside.size + 1) : undefined
    if (!opened) return own
    const { hold: coming } = opened
    if (!(coming instanceof Promise)) return remember({ ...opened, hold: coming })
    const part: Part = { ...opened, hold: coming.then(arrived, refused) }
    function arrived(hold: Hold): void {
      part.hold = hold
    }
    function refused(): void {
      beside.delete(part.call.model)
      own.usage = sum(own.usage, part.usage)
    }
    return remember(part)
  }
  /** Keeps what is set aside ahead of what is owed by `wanted`, or what is left of it; false where that is below `least`. */
  const isAhead = (wanted: number, least: number): boolean => {
    const owed = parts().reduce((quota, part) => quota + charge(part, 'stopped', 0).quota, 0)
    const ahead = hold.quota - owed
    const isDone = ahead >= wanted || hold.extend(wanted - ahead, Math.max(least - ahead, 0)) || ahead >= least
    covered = outputWithin(hold.quota - owed - prompt, 0, price, quotaPerUnit, extras)
    return isDone
  }
  return {
    add(usage, model) {
      const part = partOf(model)
      part.usage = sum(part.usage, usage)
      if (part === own)
        prompt = Math.max(leastPrompt, chargeFor({ ...usage, completion: 0, audioOutput: 0 }, price, quotaPerUnit))
      return isAhead(prompt + plan.holdQuota, plan.minHoldQuota)
    },
    covers(tokens) {
      if (tokens <= covered) return true
      const cost = (count: number) => prompt + holdFor(0, count, 0, price, quotaPerUnit, extras)
      return isAhead(cost(tokens + STEP), cost(tokens))
    },
    isEmpty: () => !parts().some(isUsed),
    checkpoint(firstByteMs) {
      for (const part of parts())
        if (isUsed(part) && !(part.hold instanceof Promise)) part.hold.checkpoint(charge(part, 'stopped', firstByteMs))
    },
    settle(ending, firstByteMs) {
      const chargeAll = (): MaybePromise<void> => {
        // Where all that was used is another model's, there is nothing to write down of the session's own.
        if (beside.size > 0 && !isUsed(own) && plan.price.fixed === null) hold.release()
        const settled = parts().map((part) =>
          part.hold instanceof Promise ? undefined : part.hold.settle(charge(part, ending, firstByteMs)),
        )
        const tell = () => tellSettled(deps, admitted, own.usage, charge(own, ending, firstByteMs).quota)
        return whenKnown(allOf(settled), tell)
      }
      return whenKnown(allOf(parts().map((part) => part.hold)), chargeAll)
    },
  }
}

/** Resolves with the promises among these; at once where there are none. */
function allOf(values: readonly unknown[]): MaybePromise<unknown> {
  const coming = values.filter((value) => value instanceof Promise)
  return coming.length === 0 ? undefined : Promise.all(coming)
}

/** An answer has some tokens of prompt even where the caller has said nothing. */
const MIN_PROMPT = 64
/** Tokens of an answer for which more is asked at once. */
const STEP = 1024
/** Models that write down in one session; sessions have one. */
const MAX_BESIDE = 4

/** A part at the price of its own model; none where that has no price, or nothing can be set aside for it. */
function openPart(deps: SessionMeterDeps, { context, caller, call, plan }: HeldSession, model: string, number: number) {
  const ask = { model, userGroup: caller.account.group, usingGroup: plan.group, acceptUnset: false, isPaid: true }
  const price = deps.prices().find(ask)
  if (!price) return undefined
  const requestId = `${context.requestId}-${number}`
  const part = { call: { ...call, model }, plan: { ...plan, price }, context: { ...context, requestId } }
  try {
    return { ...part, hold: deps.ledger.hold(askOf(deps.settings, caller, requestId, 0)), usage: usageOf({}) }
  } catch (cause) {
    if (cause instanceof GatewayError) return undefined
    throw cause
  }
}

/** A part as it is charged: of another model than the session's under that one's name. */
const requestOf = (admitted: HeldSession, { context, call, plan }: Part): ChargedRequest => ({
  ...admitted,
  context,
  call,
  plan,
  upstreamModel: call.model === admitted.call.model ? admitted.upstreamModel : call.model,
})
