import { describe, expect, it } from 'vitest'
import { en } from '../../shared/messages/en.ts'
import { zh } from '../../shared/messages/zh.ts'
import {
  decodeOption,
  encodeOption,
  hintOf,
  isOptionKey,
  labelOf,
  type OptionKey,
  optionKeys,
  options,
  optionsIn,
} from '../../shared/options/index.ts'
import { domainsOf, linesOf } from '../../shared/options/lists.ts'
import { panels, tabs } from '../../shared/options/panels.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { booleanKeys, defaultTexts, publicNames, secretKeys, specifiedKeys } from './option-tables.ts'

/** The message key a raw value is refused with, or the text it is stored as. */
function taken(key: OptionKey, raw: string): string {
  try {
    return encodeOption(key, decodeOption(key, raw))
  } catch (error) {
    if (error instanceof OptionRefusal) return error.key
    throw error
  }
}

describe('the catalogue of options (specification 2 §3)', () => {
  it.each(specifiedKeys)('declares %s', (key) => {
    expect(isOptionKey(key)).toBe(true)
  })

  it('encodes exactly the keys ending in Enabled, DefaultCollapseSidebar and DefaultUseAutoGroup as flags', () => {
    const named = (key: string) => /enabled$/i.test(key) || booleanKeys.includes(key)
    for (const key of optionKeys) expect([key, options[key].wire === 'flag']).toEqual([key, named(key)])
  })

  it('marks the secrets of spec/console.md §5 and no other key', () => {
    expect(optionKeys.filter((key) => options[key].secret).toSorted()).toEqual(secretKeys.toSorted())
  })

  it('publishes what /api/status promises (spec/console.md §6.1), and no secret', () => {
    const published = Object.fromEntries(
      optionKeys.flatMap((key) => [[options[key].publishAs, key]]).filter(([name]) => name),
    )
    expect(published).toEqual(publicNames)
    expect(optionKeys.filter((key) => options[key].secret && options[key].publishAs)).toEqual([])
  })

  it('makes only flags depend on others, and only on options that exist', () => {
    for (const key of optionKeys) {
      const needs = options[key].needs ?? []
      expect(needs.every(isOptionKey)).toBe(true)
      if (needs.length > 0) expect(options[key].wire).toBe('flag')
    }
  })

  it('fills every panel, and every panel belongs to a tab', () => {
    for (const panel of panels) {
      expect(optionsIn(panel), panel).not.toEqual([])
      expect(tabs.some((tab) => panel.startsWith(`${tab}/`))).toBe(true)
    }
  })
})

describe('defaults (spec/console.md §5, Settled 16)', () => {
  it.each(Object.entries(defaultTexts))('%s is %s', (key, text) => {
    expect(isOptionKey(key) && encodeOption(key, options[key].default)).toBe(text)
  })

  it.each(optionKeys)('of %s passes its own check', (key) => {
    expect(taken(key, encodeOption(key, options[key].default))).toBe(encodeOption(key, options[key].default))
  })
})

describe('the wire form', () => {
  it.each([
    ['ServerAddress', ' https://gate.example/ '],
    ['SensitiveWords', ' one \r\n\r\n two'],
    ['EmailDomainWhitelist', ' Example.COM ,,example.com, mail.example '],
    ['Price', '7.30'],
    ['QuotaPerUnit', '5e5'],
    ['GroupRatio', '{ "vip" : 0.50 }'],
    ['Chats', '[ { "One" : "https://chat.example/{key}" } ]'],
  ] as const)('of %s is stable once it has been tidied', (key, raw) => {
    const once = taken(key, raw)
    expect(taken(key, once)).toBe(once)
  })

  it('takes only true and false for a flag', () => {
    expect(['true', 'false', 'TRUE', '1', '', 'yes'].map((raw) => taken('RegisterEnabled', raw))).toEqual([
      'true',
      'false',
      ...Array(4).fill('option.bad_flag'),
    ])
  })

  it('drops trailing slashes of addresses but not of endpoints', () => {
    expect(taken('PayAddress', 'https://pay.example//')).toBe('https://pay.example')
    expect(taken('oidc.token_endpoint', 'https://id.example/token/')).toBe('https://id.example/token/')
  })

  it('stays quick on long hostile texts', () => {
    const started = performance.now()
    taken('ServerAddress', `http://a${'/'.repeat(500_000)}x`)
    taken('RetryTimes', `${'1'.repeat(500_000)}x`)
    taken('EmailDomainWhitelist', `${'a.'.repeat(100_000)}!`)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('reads lists of lines and domains', () => {
    expect(linesOf(' Bad Word \r\n\n other')).toEqual(['Bad Word', 'other'])
    expect(domainsOf('A.example, b.example,,a.example')).toEqual(['a.example', 'b.example'])
    expect(domainsOf('')).toEqual([])
  })
})

describe('validation (specification 2 §5)', () => {
  it.each<[OptionKey, string, string]>([
    ['QuotaForNewUser', '-1', 'option.number_min'],
    ['QuotaForNewUser', '1.5', 'option.bad_integer'],
    ['QuotaForNewUser', '', 'option.bad_number'],
    ['QuotaForNewUser', '0x10', 'option.bad_number'],
    ['QuotaForNewUser', '1e400', 'option.bad_integer'],
    ['ChannelDisableThreshold', '-0.1', 'option.number_min'],
    ['ChannelDisableThreshold', '0.5', '0.5'],
    ['DataExportInterval', '0', 'option.number_min'],
    ['DataExportInterval', '1', '1'],
    ['DataExportInterval', '40000', 'option.number_max'],
    ['DataExportDefaultTime', 'month', 'option.bad_choice'],
    ['Price', '0', 'option.number_above'],
    ['USDExchangeRate', '-7', 'option.number_above'],
    ['QuotaPerUnit', '0', 'option.number_above'],
    ['MinTopUp', '0', 'option.number_min'],
    ['SMTPPort', '0', 'option.number_min'],
    ['SMTPPort', '65536', 'option.number_max'],
    ['SMTPPort', '465', '465'],
    ['SystemName', '  ', 'option.required'],
    ['ModelRequestRateLimitDurationMinutes', '0', '0'],
    ['ModelRequestRateLimitCount', '-1', 'option.number_min'],
    ['ModelRequestRateLimitCount', '0', '0'],
    ['ModelRequestRateLimitSuccessCount', '0', 'option.number_min'],
    ['ModelRequestRateLimitSuccessCount', '1', '1'],
    ['ModelRequestRateLimitGroup', '{"vip":[0,1]}', '{"vip":[0,1]}'],
    ['ModelRequestRateLimitGroup', '{"vip":[0,0]}', 'option.rate_group'],
    ['ModelRequestRateLimitGroup', '{"vip":[-1,1]}', 'option.rate_group'],
    ['ModelRequestRateLimitGroup', '{"vip":[1]}', 'option.rate_group'],
    ['ModelRequestRateLimitGroup', '{"vip":[1,2147483648]}', 'option.rate_group'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.05', 'option.number_min'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.1', '0.1'],
    ['claude.thinking_adapter_budget_tokens_percentage', '1.01', 'option.number_max'],
    ['claude.thinking_adapter_budget_tokens_percentage', '1', '1'],
    ['general_setting.ping_interval_seconds', '0', 'option.number_min'],
    ['general_setting.ping_interval_seconds', '1', '1'],
    ['oidc.well_known', 'ftp://id.example', 'option.bad_url'],
    ['oidc.well_known', 'id.example', 'option.bad_url'],
    ['oidc.well_known', '', ''],
    ['ServerAddress', 'javascript:alert(1)', 'option.bad_url'],
    ['ServerAddress', 'http://127.0.0.1:6411/', 'http://127.0.0.1:6411'],
    ['Logo', '//elsewhere.example/logo.png', 'option.bad_url'],
    ['Logo', '/logo.png', '/logo.png'],
    ['EmailDomainWhitelist', 'example', 'option.domain_list'],
    ['EmailDomainWhitelist', 'example.c', 'option.domain_list'],
    ['EmailDomainWhitelist', '', ''],
    ['GroupRatio', '{"vip":-1}', 'option.group_negative'],
    ['GroupRatio', '{"a,b":1}', 'option.group_name'],
    ['GroupRatio', '{"vip":"1"}', 'option.map_number'],
    ['GroupRatio', '[1]', 'option.map_shape'],
    ['GroupGroupRatio', '{"vip":{"default":-1}}', 'option.map_number'],
    ['UserUsableGroups', '{"vip":1}', 'option.map_text'],
    ['AutoGroups', '{}', 'option.list_shape'],
    ['AutoGroups', '["default",""]', 'option.list_text'],
    ['ModelRatio', '{"gpt-4o":-1}', 'option.map_number'],
    ['ModelRatio', '{"gpt-4o":1e999}', 'option.map_number'],
    ['ModelRatio', '{"gpt-4o":0}', '{"gpt-4o":0}'],
    ['ModelPrice', 'null', 'option.map_shape'],
    ['ModelPrice', '{', 'option.bad_json'],
    ['TopupGroupRatio', 'x', 'option.bad_json'],
    ['PayMethods', '[{"name":"Card"}]', 'option.pay_shape'],
    ['PayMethods', '[{"name":"Card","type":"card"}]', '[{"name":"Card","type":"card"}]'],
    ['Chats', '[{"One":"a","Two":"b"}]', 'option.chats_shape'],
    ['Chats', '[{}]', 'option.chats_shape'],
    ['claude.default_max_tokens', '{"claude-3":1}', 'option.needs_default'],
    ['claude.default_max_tokens', '{"default":0}', 'option.map_count'],
    ['claude.model_headers_settings', '{"m":{"a b":["x"]}}', 'option.header'],
    ['claude.model_headers_settings', '{"m":{"a":["x\\ny"]}}', 'option.header'],
    ['claude.model_headers_settings', '{"m":{"a":"x"}}', 'option.map_list'],
  ])('%s takes %s as %s', (key, raw, outcome) => {
    expect(taken(key, raw)).toBe(outcome)
  })

  it('takes nothing but a JSON text for each JSON option', () => {
    for (const key of optionKeys.filter((name) => options[name].wire === 'json')) {
      expect(taken(key, '{"broken":')).toBe('option.bad_json')
      expect(taken(key, '')).toBe('option.bad_json')
      expect(Object.keys(en)).toContain(taken(key, '"a text"'))
    }
  })

  it('never lets a JSON value reach the prototype', () => {
    const ratios = decodeOption('ModelRatio', '{"__proto__":{"polluted":1},"constructor":2}')
    expect(Object.getPrototypeOf(ratios)).toBe(Object.prototype)
    expect('polluted' in ratios).toBe(false)
  })
})

describe('the texts of options', () => {
  it.each(optionKeys)('name %s in both languages', (key) => {
    expect(en[labelOf(key)]).toBeTruthy()
    expect(zh[labelOf(key)]).toBeTruthy()
  })

  it('name every panel and tab, and hint only at options that exist', () => {
    for (const name of panels) expect(Object.keys(en)).toContain(`panel.${name}`)
    for (const name of tabs) expect(Object.keys(en)).toContain(`tab.${name}`)
    const hinted = Object.keys(en).filter((key) => key.startsWith('option.hint.'))
    expect(optionKeys.flatMap((key) => hintOf(key) ?? []).toSorted()).toEqual(hinted.toSorted())
  })
})
