import { describe, expect, it } from 'vitest'
import { changeOf, draftOf, ownTimeZone } from '../../../../renderer/pages/token/draft.ts'
import type { TokenView } from '../../../../shared/api/token.ts'

const token: TokenView = {
  ...{ id: 7, user_id: 1, key: 'k', status: 1, name: 'laptop', created_time: 1, accessed_time: 1, expired_time: -1 },
  ...{ remain_quota: 500, unlimited_quota: false, used_quota: 0, group: '', DeletedAt: null },
  ...{ model_limits_enabled: false, model_limits: '', allow_ips: null, requests_per_minute: 0, tokens_per_minute: 0 },
  budgets: { minute: 0, five_hours: 0, day: 0, week: 0, month: 0 },
  ...{ budget_time_zone: '', budget_warn_percent: 80, response_cache: false, keep_bodies: false, budget_use: [] },
}
const first = draftOf(token, '')

describe('the form of tokens (docs/reference/screens.md#tokens)', () => {
  it('sends only changes, relative to the quota that it began with', () => {
    expect(changeOf(token, { ...first, name: ' desk ' }, first)).toEqual({
      id: 7,
      name: 'desk',
      remain_quota_base: 500,
    })
  })

  it('sends the first budget with the time zone in which it is shown, though that was not changed', () => {
    const budgets = { ...first.budgets, day: 250_000 }
    expect(changeOf(token, { ...first, budgets }, first)).toEqual({
      id: 7,
      budgets,
      budget_time_zone: ownTimeZone(),
      remain_quota_base: 500,
    })
  })

  it('begins with a dollar of quota, one token and no end', () => {
    expect(draftOf(undefined, 'vip')).toMatchObject({
      quota: 500_000,
      isUnlimited: false,
      count: 1,
      expiry: '',
      group: 'vip',
    })
  })

  it('begins without a limit in self-use mode, where no one else pays', () => {
    expect(draftOf(undefined, '', true)).toMatchObject({ quota: 500_000, isUnlimited: true })
  })
})
