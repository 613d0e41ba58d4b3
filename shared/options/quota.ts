import { between, jsonOf, quotaAmount } from './kinds.ts'
import { option } from './option.ts'
import { countMap } from './shapes.ts'

/** Initial grants and reservations of quota (docs/reference/options.md#areas, docs/reference/billing.md#hold). */
export const quota = {
  QuotaForNewUser: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  /** Minimum reservation for a prompt, in tokens. */
  PreConsumedQuota: option({ ...between(0, 10_000_000), default: 500, panel: 'operation/quota' }),
  /** Maximum output of models in tokens, by name or pattern (`*`); overrides documented limits. */
  ModelMaxOutput: option({ ...jsonOf(countMap), default: {}, panel: 'operation/quota' }),
  /** Maximum output of unknown models. */
  DefaultMaxOutput: option({ ...between(1, 10_000_000), default: 8192, panel: 'operation/quota' }),
  QuotaForInviter: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  QuotaForInvitee: option({ ...quotaAmount, default: 0, panel: 'operation/quota' }),
  /** Chunks of a streamed response read ahead from the upstream for a slow client; 0 reads none ahead. */
  StreamCacheQueueLength: option({ ...between(0, 10_000), default: 0, panel: 'operation/quota' }),
}
