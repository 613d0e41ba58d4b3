import { describe, expect, test } from 'vitest'
import { differs, shownText, storedText } from '../../../../renderer/pages/setting/form/option-texts.ts'
import { rowsIn, textOfRows } from '../../../../renderer/pages/setting/panel/chat-rows.ts'
import { encodeOption, optionKeys, options } from '../../../../shared/options/index.ts'
import { retries } from '../../../support/retries.ts'

describe('texts of settings (docs/reference/screens.md#settings)', () => {
  test('the shown text of a default is read as the same value, for every setting', () => {
    for (const key of optionKeys) {
      const stored = encodeOption(key, options[key].default as never) // each key with its own default
      expect([key, storedText(key, shownText(key, stored))]).toEqual([key, stored])
      expect([key, differs(key, shownText(key, stored), stored)]).toEqual([key, false])
    }
  })

  test('a difference that the gateway normalizes is not a change', () => {
    expect(differs('PayAddress', 'https://pay.example//', 'https://pay.example')).toBe(false)
    expect(differs('SensitiveWords', 'one\n\n two ', 'one\ntwo')).toBe(false)
    expect(differs('RetryTimes', ' 2 ', '2')).toBe(false)
    expect(differs('GroupRatio', '{ "default": 1 }', '{"default":1}')).toBe(false)
  })

  test('a value that the gateway would refuse is a change, and is not stored', () => {
    expect(differs('RetryTimes', 'many', '2')).toBe(true)
    expect(storedText('RetryTimes', String(retries.max + 1))).toBeUndefined()
    expect(storedText('Chats', '[{')).toBeUndefined()
  })
})

describe('rows of chats', () => {
  test('equal the JSON, and are written as the same; a blank row is ignored', () => {
    const text = '[{"One":"https://one.example/{key}"},{"Two":"two://{address}"}]'
    const rows = rowsIn(text)
    expect(rows).toEqual([
      { name: 'One', address: 'https://one.example/{key}' },
      { name: 'Two', address: 'two://{address}' },
    ])
    expect(JSON.parse(textOfRows([...(rows ?? []), { name: '', address: '' }]))).toEqual(JSON.parse(text))
  })

  test('do not exist for other JSON', () => {
    for (const text of ['', '{', '{}', '[1]', '[{}]', '[{"a":"b","c":"d"}]', '[{"a":1}]'])
      expect(rowsIn(text)).toBeUndefined()
  })
})
