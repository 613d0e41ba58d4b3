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
  /** Called when a token was refused because too little or nothing is left on it. */
  onShort: (tokenId: number) => void
}>

export type MeasureDeps = ReserveDeps & PromptDeps & Pick<AdmitDeps, 'settings'> & Readonly<{ counter: TokenCounter }>

/**
 * Reserves the quota, or what is left of it (docs/reference/billing.md#hold); marks a token that cannot afford the
 * minimum.
 */
export function reserve(
  { ledger, onShort, settings }: ReserveDeps,
  { requestId }: RequestContext,
  caller: Caller,
  plan: Plan,
): MaybePromise<Hold> {
  try {
    const { holdQuota: quota, minHoldQuota: minQuota } = plan
    const hold = ledger.hold(holdRequestOf(settings, caller, requestId, quota, minQuota))
    return hold instanceof Promise ? hold.catch((error) => refused(error, caller, onShort)) : hold
  } catch (error) {
    return refused(error, caller, onShort)
  }
}

/** Throws, without a reservation, if the caller cannot afford the minimum of a plan. */
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
 * The reservation request, with the balance below which the account is notified: its own threshold, else the
 * operator's; the root account gets no notice in self-use mode (docs/reference/accounts.md#notices).
 */
export function holdRequestOf(
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
 * For a call whose reservation is less than it may cost: measures the prompt again, with the model's tokenizer if known.
 * Releases the reservation and throws if the balance does not cover that prompt and the shortest response.
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
  const reserved = reserve(deps, context, caller, exact)
  return { plan: exact, hold: reserved instanceof Promise ? await reserved : reserved }
}

async function sizeOf(deps: MeasureDeps, accountId: number, call: Call): Promise<number> {
  const { texts, extra } = promptOf(deps, call)
  const { tokens, source } = await deps.counter.count(accountId, call.model, texts)
  return source === 'counted' ? tokens + extra : promptSize(deps, call)
}
