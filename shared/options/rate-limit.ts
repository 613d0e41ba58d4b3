import { between, flag, jsonOf } from './kinds.ts'
import { option } from './option.ts'
import { groupRateLimits } from './shapes.ts'

const MAX_COUNT = 2_147_483_647

/**
 * Limits of model requests per user (docs/reference/limits.md#model-requests). The period is the same for all groups.
 */
export const rateLimit = {
  ModelRequestRateLimitEnabled: option({ ...flag, default: false, panel: 'ratelimit/requests' }),
  ModelRequestRateLimitDurationMinutes: option({ ...between(0, 43_200), default: 1, panel: 'ratelimit/requests' }),
  /** Requests in the period, failed ones included; 0 means unlimited. */
  ModelRequestRateLimitCount: option({ ...between(0, MAX_COUNT), default: 0, panel: 'ratelimit/requests' }),
  ModelRequestRateLimitSuccessCount: option({ ...between(1, MAX_COUNT), default: 1000, panel: 'ratelimit/requests' }),
  ModelRequestRateLimitGroup: option({ ...jsonOf(groupRateLimits), default: {}, panel: 'ratelimit/requests' }),
}
