import { between, jsonOf, quotaAmount } from './kinds.ts'
import { option } from './option.ts'
import { countMap } from './shapes.ts'

/** Quota given away and set aside (docs/reference/options.md#areas, docs/reference/billing.md#hold). */
export const quota = {
  QuotaForNewUser: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  /** In tokens: the least that is set aside for a prompt. */
  PreConsumedQuota: option({ ...between(0, 10_000_000), default: 500, panel: 'operation/quota' }),
  /** The longest output of models in tokens, by name or by pattern (`*`); it comes before what is documented. */
  ModelMaxOutput: option({ ...jsonOf(countMap), default: {}, panel: 'operation/quota' }),
  /** The longest output of models nobody knows. */
  DefaultMaxOutput: option({ ...between(1, 10_000_000), default: 8192, panel: 'operation/quota' }),
  QuotaForInviter: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  QuotaForInvitee: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  /** Chunks of a streamed answer that are taken from the upstream for a caller that reads slowly; 0 takes none ahead. */
  StreamCacheQueueLength: option({ ...between(0, 10_000), default: 0, panel: 'operation/quota' }),
}
