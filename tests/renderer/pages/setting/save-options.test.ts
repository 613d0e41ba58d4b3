import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../../renderer/api/call-failure.ts'
import { type Change, saveOptions } from '../../../../renderer/pages/setting/form/save-options.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'

const change = (key: OptionKey, value: string): Change => ({ key, value, base: undefined })
const refusal = new CallFailure('refused', 200, 'no')

/** A gateway that records the start and end of each call, and returns the failures in `answers`. */
function noting(answers: Partial<Record<OptionKey, CallFailure>> = {}) {
  const heard: string[] = []
  const put = async (changes: readonly Change[]) => {
    const keys = changes.map(({ key }) => key)
    heard.push(`>${keys}`)
    await Promise.resolve()
    heard.push(`<${keys}`)
    return keys.map((key) => answers[key]).find((answer) => answer !== undefined)
  }
  return { heard, put }
}

describe('saving settings (docs/reference/screens.md#settings)', () => {
  test('flags go first, one at a time, then the others in parallel', async () => {
    const { heard, put } = noting()
    await saveOptions(
      [
        change('RetryTimes', '3'),
        change('DemoSiteEnabled', 'true'),
        change('TopUpLink', ''),
        change('SelfUseModeEnabled', 'true'),
      ],
      put,
    )
    expect(heard).toEqual([
      '>DemoSiteEnabled',
      '<DemoSiteEnabled',
      '>SelfUseModeEnabled',
      '<SelfUseModeEnabled',
      '>RetryTimes',
      '>TopUpLink',
      '<RetryTimes',
      '<TopUpLink',
    ])
  })

  test('a flag that needs other fields of the same save is sent after them', async () => {
    const { heard, put } = noting()
    await saveOptions([change('EmailDomainRestrictionEnabled', 'true'), change('EmailDomainWhitelist', 'a.org')], put)
    expect(heard).toEqual([
      '>EmailDomainWhitelist',
      '<EmailDomainWhitelist',
      '>EmailDomainRestrictionEnabled',
      '<EmailDomainRestrictionEnabled',
    ])
  })

  test('a secret is sent together with the address that it is for, and separately where that does not change', async () => {
    const { heard, put } = noting({ SMTPToken: refusal })
    const wanted = [
      change('SMTPToken', 'secret'),
      change('SMTPServer', 'mail.example'),
      change('WorkerValidKey', 'key'),
    ]
    const outcome = await saveOptions(wanted, put)
    const calls = ['SMTPServer,SMTPToken', 'WorkerValidKey']
    expect(heard).toEqual([...calls.map((keys) => `>${keys}`), ...calls.map((keys) => `<${keys}`)])
    expect(outcome).toEqual({
      saved: ['WorkerValidKey'],
      refused: new Map([
        ['SMTPServer', refusal],
        ['SMTPToken', refusal],
      ]),
      failure: undefined,
    })
  })

  test('a refused one does not prevent the others from being saved', async () => {
    const { put } = noting({ DemoSiteEnabled: refusal, RetryTimes: refusal })
    const outcome = await saveOptions(
      [change('DemoSiteEnabled', 'true'), change('RetryTimes', '3'), change('TopUpLink', '')],
      put,
    )
    expect(outcome).toEqual({
      saved: ['TopUpLink'],
      refused: new Map([
        ['DemoSiteEnabled', refusal],
        ['RetryTimes', refusal],
      ]),
      failure: undefined,
    })
  })

  test('without an answer nothing more is sent', async () => {
    const gone = new CallFailure('network', 0, 'gone')
    const { heard, put } = noting({ DemoSiteEnabled: gone })
    const outcome = await saveOptions([change('DemoSiteEnabled', 'true'), change('RetryTimes', '3')], put)
    expect(heard).toEqual(['>DemoSiteEnabled', '<DemoSiteEnabled'])
    expect(outcome).toEqual({ saved: [], refused: new Map(), failure: gone })
  })
})
