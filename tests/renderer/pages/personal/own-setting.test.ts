import { describe, expect, it } from 'vitest'
import { changeOf, preferenceOf, storedIn } from '../../../../renderer/pages/personal/own-setting.ts'

describe('the preferences of an account (docs/reference/screens.md#personal)', () => {
  it('begin with the effective threshold: the own one, else the operator’s', () => {
    expect(preferenceOf(storedIn(''), 500_000)).toMatchObject({
      notify_type: 'email',
      quota_warning_threshold: 500_000,
    })
    expect(preferenceOf(storedIn('{}'), 500_000).quota_warning_threshold).toBe(500_000)
    expect(preferenceOf(storedIn('{"quota_warning_threshold":7}'), 500_000).quota_warning_threshold).toBe(7)
  })

  it('read the valid fields, with any other data of other programs', () => {
    const stored = storedIn('{"notify_type":"pigeon","webhook_url":1,"record_ip_log":true,"theme":"dark"}')
    expect(preferenceOf(stored, 500_000)).toMatchObject({ notify_type: 'email', webhook_url: '', record_ip_log: true })
    expect(storedIn('no JSON')).toBeUndefined()
  })

  it('send only changes, and the notification method only complete as shown', () => {
    const before = preferenceOf(undefined, 500_000)
    expect(changeOf(before, { ...before, record_ip_log: true }, undefined)).toEqual({ record_ip_log: true })
    const address = 'https://example.com/hook'
    const changed = { ...before, notify_type: 'webhook', webhook_url: ` ${address}` } as const
    expect(changeOf(before, changed, undefined)).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 500_000,
      webhook_url: address,
    })
  })

  it('preserve a stored secret unless one is typed, or it is to be removed', () => {
    const stored = storedIn(
      '{"notify_type":"webhook","quota_warning_threshold":7,"webhook_url":"https://example.com","webhook_secret":"••••"}',
    )
    const before = preferenceOf(stored, 500_000)
    expect(changeOf(before, before, stored)).toEqual({})
    expect(changeOf(before, { ...before, webhook_secret: 'new' }, stored)).toEqual({ webhook_secret: 'new' })
    expect(changeOf(before, { ...before, webhook_secret: null }, stored)).toEqual({ webhook_secret: null })
  })
})
