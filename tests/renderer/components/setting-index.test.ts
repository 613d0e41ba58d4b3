import { describe, expect, test } from 'vitest'
import {
  findSettings,
  settingAddress,
  settingIndex,
} from '../../../renderer/components/setting-search/setting-index.ts'
import { option as en } from '../../../shared/messages/en/option.ts'
import { option as zh } from '../../../shared/messages/zh/option.ts'
import { optionKeys, options } from '../../../shared/options/index.ts'

const index = settingIndex([en, zh])
const found = (query: string) => findSettings(index, query).map(({ key }) => key)

describe('finding settings (docs/reference/screens.md#settings)', () => {
  test('every setting with a field is found by its key, in any case', () => {
    for (const key of optionKeys)
      expect([key, found(key.toUpperCase())[0]]).toEqual([key, options[key].panel ? key : undefined])
  })

  test('by its name in either language, regardless of the current one', () => {
    expect(found('retries on failure')).toEqual(['RetryTimes'])
    expect(found('失败重试')).toEqual(['RetryTimes'])
  })

  test('by words of its explanation and its panel, behind those whose names have them', () => {
    expect(found('redemption codes')).toEqual(['TopUpLink'])
    expect(found('smtp port')[0]).toBe('SMTPPort')
    expect(found('claude thinking')).toContain('claude.thinking_adapter_enabled')
    const logs = found('log')
    expect(logs.indexOf('LogConsumeEnabled')).toBeLessThan(logs.indexOf('ErrorLogEnabled'))
  })

  test('nothing by blanks, and nothing where one word is missing', () => {
    expect(found('  ')).toEqual([])
    expect(found('retries moonlight')).toEqual([])
  })

  test('an address leads to the tab and the field', () => {
    const [first] = findSettings(index, 'gemini.safety_settings')
    expect(first && settingAddress(first)).toBe('/setting?tab=models&key=gemini.safety_settings')
  })
})
