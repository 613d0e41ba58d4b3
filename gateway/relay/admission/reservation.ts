import { GatewayError } from '../../base/errors.ts'
import type { Hold, Ledger } from '../../billing/ledger.ts'
import type { Caller } from '../model/caller.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'

export type ReserveDeps = Readonly<{
  ledger: Ledger
  /** A token was refused because too little, perhaps nothing, is left on it. */
  onShort: (tokenId: number) => void
}>

/** Sets the reservation aside, or what is left of it (spec/relay.md §6.2); a token that cannot afford the least is marked. */
export function reserve(
  { ledger, onShort }: ReserveDeps,
  { requestId }: RequestContext,
  caller: Caller,
  plan: Plan,
): Hold {
  try {
    const { hold: quota, least } = plan
    return ledger.hold({ requestId, userId: caller.account.id, tokenId: caller.tokenId, quota, least })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'pre_consume_token_quota_failed') onShort(caller.tokenId)
    throw error
  }
}
