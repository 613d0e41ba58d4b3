import { between, quotaAmount } from './kinds.ts'
import { option } from './option.ts'

/** Quota given away and set aside (spec/console.md §5, spec/relay.md §6.2). */
export const quota = {
  QuotaForNewUser: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  /** In tokens: what a request without max_tokens is assumed to need. */
  PreConsumedQuota: option({ ...between(0, 10_000_000), default: 500, panel: 'operation/quota' }),
  QuotaForInviter: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  QuotaForInvitee: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  StreamCacheQueueLength: option({ ...between(0, 10_000), default: 0, panel: 'operation/quota' }),
}
