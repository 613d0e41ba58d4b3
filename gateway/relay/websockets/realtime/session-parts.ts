import { GatewayError, refuse } from '../../../base/errors.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { UntrustedMap, UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { Hold, Ledger } from '../../../billing/ledger.ts'
import type { PriceBook } from '../../../billing/price.ts'
import { sumOf, type Usage, usageOf } from '../../../billing/usage.ts'
import { secondPrice } from '../../admission/model-rights.ts'
import { holdRequestOf } from '../../admission/reservation.ts'
import { type ChargeDeps, chargeRequest, reportSettled } from '../../metering/charge.ts'
import type { ChargedRequest } from '../../model/answer.ts'
import type { Call } from '../../model/call.ts'
import type { Ending } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan.ts'
import type { RequestContext } from '../../model/request-context.ts'

export type ReservedSession = ChargedRequest & Readonly<{ hold: Hold }>

export type SessionMeterDeps = Pick<ChargeDeps, 'clock' | 'settings' | 'settled'> &
  Readonly<{ prices: () => PriceBook; ledger: Ledger }>

/**
 * One model's part of a session. The reservation may still be pending, and if it fails, the part's usage counts for the
 * session's own part.
 */
type SessionPart = { call: Call; plan: Plan; hold: Hold | Promise<void>; context: RequestContext; usage: Usage }

export const isUsed = ({ usage: { prompt, completion } }: SessionPart): boolean => prompt + completion > 0

/** The usage of each model in a session, at its own price (docs/reference/streams.md#realtime-sessions). */
interface SessionParts {
  all(): readonly SessionPart[]
  /** The part of a model; the session's own without a name. */
  of(model: string | undefined): SessionPart
  owed(part: SessionPart): number
  checkpoint(firstByteMs: number): void
  /** Charges everything, once; resolves when that is durable. */
  settle(ending: Ending, firstByteMs: number): MaybePromise<void>
}

/** Max models in addition to the session's own, so that each has a part; the session may name no further ones. */
const MAX_OTHER_MODELS = 8

/** Returns a check of each model that a session names; it throws for models that the session may not use. */
export function modelAdmission(
  deps: Parameters<typeof secondPrice>[0],
  { caller, call, plan, upstreamModel }: ReservedSession,
): (model: string) => void {
  const others = new UntrustedSet<string>()
  return (model) => {
    if (model === call.model || model === upstreamModel) return
    secondPrice(deps, caller, plan.group, model)
    if (!others.has(model) && others.size === MAX_OTHER_MODELS)
      throw refuse('invalid', 'relay.fieldInvalid', { field: 'model' }, { code: 'invalid_request', param: 'model' })
    others.add(model)
  }
}

export function openParts(deps: SessionMeterDeps, admitted: ReservedSession): SessionParts {
  const { context, call, plan, hold } = admitted
  const own: SessionPart = { call, plan, hold, context, usage: usageOf({}) }
  const parts = new UntrustedMap<string, SessionPart>()
  let opened = 0
  const charge = (part: SessionPart, ending: Ending, firstByteMs: number) =>
    chargeRequest(deps, requestOf(admitted, part), part.usage, ending, firstByteMs)
  const all = () => [own, ...parts.values()]
  const remember = (part: SessionPart): SessionPart => {
    parts.set(part.call.model, part)
    return part
  }
  const of = (model: string | undefined): SessionPart => {
    if (model === undefined || model === call.model || model === admitted.upstreamModel) return own
    const known = parts.get(model)
    if (known) return known
    if (parts.size >= MAX_OTHER_MODELS) return own
    opened += 1
    const begun = openPart(deps, admitted, model, opened)
    if (!begun) return own
    const { hold: pending } = begun
    if (!(pending instanceof Promise)) return remember({ ...begun, hold: pending })
    const part: SessionPart = { ...begun, hold: pending.then(arrived, refused) }
    function arrived(hold: Hold): void {
      part.hold = hold
    }
    function refused(): void {
      parts.delete(part.call.model)
      own.usage = sumOf(own.usage, part.usage)
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
        const used = [...parts.values()].filter(isUsed)
        for (const part of parts.values()) if (!isUsed(part) && !(part.hold instanceof Promise)) part.hold.release()
        // If only other models were used, the session's own part needs no log row.
        if (used.length > 0 && !isUsed(own) && plan.price.fixed === null) hold.release()
        const settled = [own, ...used].map((part) =>
          part.hold instanceof Promise ? undefined : part.hold.settle(charge(part, ending, firstByteMs)),
        )
        const report = () => reportSettled(deps, admitted, own.usage, charge(own, ending, firstByteMs).quota)
        return whenKnown(allOf(settled), report)
      }
      return whenKnown(allOf(all().map((part) => part.hold)), chargeAll)
    },
  }
}

/** Resolves with the promises among these; synchronous if there are none. */
function allOf(values: readonly unknown[]): MaybePromise<unknown> {
  const promises = values.filter((value) => value instanceof Promise)
  return promises.length === 0 ? undefined : Promise.all(promises)
}

/** A part at its model's price; undefined if the model may not be used, or nothing can be reserved for it. */
function openPart(
  deps: SessionMeterDeps,
  { context, caller, call, plan }: ReservedSession,
  model: string,
  number: number,
) {
  const requestId = `${context.requestId}-${number}`
  try {
    const price = secondPrice({ settings: deps.settings, prices: deps.prices }, caller, plan.group, model)
    const part = { call: { ...call, model }, plan: { ...plan, price }, context: { ...context, requestId } }
    return { ...part, hold: deps.ledger.hold(holdRequestOf(deps.settings, caller, requestId, 0)), usage: usageOf({}) }
  } catch (cause) {
    if (cause instanceof GatewayError) return undefined
    throw cause
  }
}

const requestOf = (admitted: ReservedSession, { context, call, plan }: SessionPart): ChargedRequest => ({
  ...admitted,
  context,
  call,
  plan,
  upstreamModel: call.model === admitted.call.model ? admitted.upstreamModel : call.model,
})
