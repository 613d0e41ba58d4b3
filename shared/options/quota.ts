import { count } from './kinds.ts'
import { option } from './option.ts'

/** Quota given away and set aside (spec/console.md §5, spec/relay.md §6.2). */
export const quota = {
  QuotaForNewUser: option({ ...count, default: 0, panel: 'operation/quota' }),
  /** In tokens: what a request without max_tokens is assumed to need. */
  PreConsumedQuota: option({ ...count, default: 500, panel: 'operation/quota' }),
  QuotaForInviter: option({ ...count, default: 0, panel: 'operation/quota' }),
  QuotaForInvitee: option({ ...count, default: 0, panel: 'operation/quota' }),
  StreamCacheQueueLength: option({ ...count, default: 0, panel: 'operation/quota' }),
}
