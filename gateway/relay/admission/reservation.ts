import { role } from '../../../shared/enums.ts'
import { GatewayError } from '../../base/errors.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Hold, HoldRequest, Ledger } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { TokenCounter } from '../tokenizer/counter.ts'
import { type PromptDeps, promptOf, promptSize } from '../tokenizer/prompt-size.ts'
import { type AdmitDeps, amountsOf } from './admit.ts'

export type ReserveDeps = Readonly<{
  ledger: Ledger
  settings: Pick<Settings, 'get'>
  /** A token was refused because too little, perhaps nothing, is left on it. */
  onShort: (tokenId: number) => void
}>

/** What measuring a prompt takes besides. */
export type MeasureDeps = ReserveDeps & PromptDeps & Pick<AdmitDeps, 'settings'> & Readonly<{ counter: TokenCounter }>

/**
 * Sets the reservation aside, or what is left of it (docs/reference/billing.md#hold); a token that cannot afford the
 * least is marked.
 */
export function reserve(
  { ledger, onShort, settings }: ReserveDeps,
  { requestId }: RequestContext,
  caller: Caller,
  plan: Plan,
): MaybePromise<Hold> {
  try {
    const { holdQuota: quota, minHoldQuota: minQuota } = plan
    const held = ledger.hold(askOf(settings, caller, requestId, quota, minQuota))
    return held instanceof Promise ? held.catch((error) => refused(error, caller, onShort)) : held
  } catch (error) {
    return refused(error, caller, onShort)
  }
}

/** Refuses, with nothing set aside, who cannot afford the least of a plan. */
export async function checkPayable(
  deps: ReserveDeps,
  context: RequestContext,
  caller: Caller,
  plan: Plan,
): Promise<void> {
  const hold = await reserve(deps, context, caller, plan)
  hold.release()
}

/**
 * What is set aside for a caller, and below which balance the account is told: its own threshold, else the operator's; the
 * one person of self-use mode is not told (docs/reference/accounts.md#notices).
 */
export function askOf(
  settings: Pick<Settings, 'get'>,
  { account, tokenId }: Caller,
  requestId: string,
  quota: number,
  minQuota = quota,
): HoldRequest {
  const isOwnMoney = account.role === role.root && settings.get('SelfUseModeEnabled')
  const remindBelow = isOwnMoney ? 0 : (account.remindBelow ?? settings.get('QuotaRemindThreshold'))
  return { requestId, userId: account.id, tokenId, quota, minQuota, remindBelow }
}

function refused(error: unknown, { tokenId }: Caller, onShort: ReserveDeps['onShort']): never {
  if (error instanceof GatewayError && error.code === 'pre_consume_token_quota_failed') onShort(tokenId)
  throw error
}

/**
 * A reservation that is less than the call may cost, with its prompt measured: by the model's own tokenizer where that is
 * known. Refuses, with nothing set aside, where what is left does not pay for that and the shortest of answers.
 */
export async function remeasured(
  deps: MeasureDeps,
  context: RequestContext,
  caller: Caller,
  call: Call,
  { plan, hold }: Readonly<{ plan: Plan; hold: Hold }>,
): Promise<Readonly<{ plan: Plan; hold: Hold }>> {
  if (call.input !== null || plan.price.fixed !== null) return { plan, hold }
  const tokens = await sizeOf(deps, caller.account.id, call).catch((error) => {
    hold.release()
    throw error
  })
  if (tokens <= plan.expected.prompt) return { plan, hold }
  const expected = { ...plan.expected, prompt: tokens }
  const { minHoldQuota } = amountsOf(deps, expected, plan.price, plan.extras)
  const exact = { ...plan, expected, minHoldQuota }
  if (hold.quota >= minHoldQuota) return { plan: exact, hold }
  hold.release()
  const held = reserve(deps, context, caller, exact)
  return { plan: exact, hold: held instanceof Promise ? await held : held }
}

async function sizeOf(deps: MeasureDeps, accountId: number, call: Call): Promise<number> {
  const { texts, extra } = promptOf(deps, call)
  const { tokens, source } = await deps.counter.count(accountId, call.model, texts)
  return source === 'counted' ? tokens + extra : promptSize(deps, call)
}
