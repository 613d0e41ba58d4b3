import { describe, expect, it } from 'vitest'
import { formatTime, UNREADABLE } from '../../../../renderer/components/date-time.ts'
import { changeOf, draftOf, newCodesOf, problemsOf } from '../../../../renderer/pages/redemption/draft.ts'

const fresh = draftOf(undefined)
const code = {
  ...{ id: 7, user_id: 1, key: 'k', status: 1, name: 'gift', quota: 500, created_time: 1, redeemed_time: 0, count: 0 },
  ...{ used_user_id: 0, used_username: '', expired_time: 0, DeletedAt: null },
}

describe('the form of redemption codes (docs/reference/screens.md#redemption-codes)', () => {
  it('begins with 100000 of quota and one code, and calls a batch without a name by its quota', () => {
    expect(fresh).toEqual({ name: '', quota: 100_000, count: 1, expiry: '' })
    expect(problemsOf(fresh, undefined)).toEqual({})
    expect(newCodesOf(fresh, '$0.20')).toEqual({ name: '$0.20', quota: 100_000, count: 1, expired_time: 0 })
    expect(newCodesOf({ ...fresh, name: ' gift ', count: 3 }, '$0.20')).toMatchObject({ name: 'gift', count: 3 })
  })

  it('tells what is wrong, as the gateway does', () => {
    const wrong = { name: '礼'.repeat(21), quota: 0, count: 101, expiry: '2020-01-01 00:00:00' }
    expect(problemsOf(wrong, undefined)).toEqual({
      name: 'redeem.name_len',
      quota: 'redemption.quotaBad',
      count: 'redeem.count_max',
      expiry: 'redeem.expiry_past',
    })
    const worse = { name: '', quota: undefined, count: 0, expiry: UNREADABLE }
    expect(problemsOf(worse, draftOf(code))).toEqual({
      name: 'redeem.name_len',
      quota: 'redemption.quotaBad',
      count: 'redeem.count_min',
      expiry: 'token.date',
    })
    expect(problemsOf({ ...fresh, name: '礼'.repeat(20) }, undefined)).toEqual({})
  })

  it('leaves aside what an import has brought and nobody has touched', () => {
    const old = draftOf({ ...code, name: 'x'.repeat(60), expired_time: 1_600_000_000 })
    expect(problemsOf({ ...old, quota: 9 }, old)).toEqual({})
    expect(problemsOf({ ...old, name: `${old.name}!` }, old)).toEqual({ name: 'redeem.name_len' })
  })

  it('sends no more than was changed', () => {
    const first = draftOf(code)
    expect(changeOf(7, first, first)).toEqual({ id: 7 })
    const later = formatTime(4_102_444_800)
    expect(changeOf(7, { ...first, quota: 9, expiry: later }, first)).toEqual({
      id: 7,
      quota: 9,
      expired_time: 4_102_444_800,
    })
    const ending = draftOf({ ...code, expired_time: 4_102_444_800 })
    expect(changeOf(7, { ...ending, expiry: '' }, ending)).toEqual({ id: 7, expired_time: 0 })
  })
})
