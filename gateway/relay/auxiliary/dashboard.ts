import { refuse } from '../../base/errors.ts'
import { admitCaller } from '../admission/admit.ts'
import { shown } from '../delivery/error-body.ts'
import { OWN_TYPE } from '../delivery/error-shapes.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { sendJson } from './reply.ts'

/** Quota of a token or an account; `expires` in unix seconds, 0 for never. */
type Figures = Readonly<{ remain: number; used: number; unlimited: boolean; expires: number }>

const UNLIMITED = 100_000_000

/**
 * Handles OpenAI's old billing dashboard (docs/reference/endpoints.md#billing-dashboard): `subscription` returns the
 * total, `usage` the used part in hundredths. Errors after authentication have status 200, as its clients expect.
 */
export async function answerDashboard(deps: AuxiliaryDeps, context: RequestContext, part: string): Promise<void> {
  const found = deps.identify(context)
  const { caller, suffix } = found instanceof Promise ? await found : found
  admitCaller(deps.relay, caller, context, suffix)
  try {
    const figures = await figuresOf(deps, caller)
    sendJson(context, 200, part === 'usage' ? usage(deps, figures) : subscription(deps, figures))
  } catch (error) {
    deps.log.warn('billing dashboard failed', { requestId: context.requestId, error })
    const { message } = shown(error, context).error
    sendJson(context, 200, { error: { message, type: OWN_TYPE } })
  }
}

function subscription(deps: AuxiliaryDeps, { remain, used, unlimited, expires }: Figures): object {
  const limit = unlimited ? UNLIMITED : shownAmount(deps, remain + used)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expires,
  }
}

const usage = (deps: AuxiliaryDeps, { used }: Figures): object => ({
  object: 'list',
  total_usage: shownAmount(deps, used) * 100,
})

/** An amount in dollars if the console shows dollars, else in quota. */
function shownAmount({ relay: { settings } }: AuxiliaryDeps, quota: number): number {
  return settings.get('DisplayInCurrencyEnabled') ? quota / settings.get('QuotaPerUnit') : quota
}

/**
 * Returns the token's figures if DisplayTokenStatEnabled is set or it is a guest's, else the account's. Flushes pending
 * charges first.
 */
async function figuresOf({ relay: { settings, ledger }, db }: AuxiliaryDeps, caller: Caller): Promise<Figures> {
  await ledger.flush()
  if (!caller.isGuest && !settings.get('DisplayTokenStatEnabled')) {
    const query = db.selectFrom('users').select(['quota', 'used_quota']).where('id', '=', caller.account.id)
    const user = await query.executeTakeFirst()
    if (!user) throw refuse('missing', 'relay.userMissing')
    return { remain: user.quota, used: user.used_quota, unlimited: false, expires: 0 }
  }
  const token = await db
    .selectFrom('tokens')
    .select(['remain_quota', 'used_quota', 'unlimited_quota', 'expired_time'])
    .where('id', '=', caller.tokenId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!token) throw refuse('missing', 'relay.badToken')
  return {
    remain: token.remain_quota,
    used: token.used_quota,
    unlimited: token.unlimited_quota === 1,
    expires: Math.max(token.expired_time, 0),
  }
}
