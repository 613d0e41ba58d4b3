import { describe, expect, it } from 'vitest'
import { draftOf, settingOf } from '../../../../renderer/pages/channel/editor/draft.ts'
import type { ChannelView } from '../../../../shared/api/channel.ts'

/** The settings of a channel in the form; no other field is relevant here. */
const shown = (setting: string) => {
  const view = { setting, models: '', group: '', tag: null } as unknown as ChannelView
  const { proxy, apiFormat, setting: rest } = draftOf(view)
  return { proxy, apiFormat, rest }
}
const through = (setting: string) => settingOf(draftOf({ setting, models: '', group: '' } as unknown as ChannelView))

describe('settings with separate fields (docs/reference/screens.md#channel-editor)', () => {
  it('are taken out of the JSON, which retains the rest', () => {
    expect(shown('')).toEqual({ proxy: '', apiFormat: 'auto', rest: '' })
    expect(shown('{"api_format":"chat"}')).toEqual({ proxy: '', apiFormat: 'chat', rest: '' })
    const both = shown('{"proxy":"http://p:1","api_format":"responses","force_format":true}')
    expect(both).toMatchObject({ proxy: 'http://p:1', apiFormat: 'responses' })
    expect(JSON.parse(both.rest)).toEqual({ force_format: true })
  })

  it('stay in it where no field can show them', () => {
    expect(shown('{"api_format":"both"}')).toEqual({ proxy: '', apiFormat: 'auto', rest: '{"api_format":"both"}' })
    const odd = shown('{"proxy":"http://p:1","api_format":7}')
    expect([odd.proxy, odd.apiFormat, JSON.parse(odd.rest)]).toEqual(['http://p:1', 'auto', { api_format: 7 }])
  })

  it.each(['', '{"force_format":true}', '{"proxy":"http://p:1","api_format":"chat"}', '{"api_format":"responses"}'])(
    '%s is saved unchanged',
    (setting) => {
      expect(through(setting) === '' ? '' : JSON.parse(through(setting))).toEqual(
        setting === '' ? '' : JSON.parse(setting),
      )
    },
  )

  it('are left out where they equal the default', () => {
    expect(settingOf({ setting: '{"a":1}', proxy: ' ', apiFormat: 'auto' })).toBe('{"a":1}')
  })
})

it('a new channel is one that the system may disable when it fails (docs/reference/screens.md#channel-editor)', () => {
  expect(draftOf(undefined)).toMatchObject({ type: 1, name: '', key: '', autoBan: true })
})
