import { describe, expect, it } from 'vitest'
import { en } from '../../shared/messages/en.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { zh } from '../../shared/messages/zh.ts'
import { hintOf } from '../../shared/options/hints.ts'
import {
  decodeOption,
  decodeToSave,
  encodeOption,
  isOptionKey,
  labelOf,
  type OptionKey,
  optionKeys,
  options,
  optionsIn,
  rangeOf,
} from '../../shared/options/index.ts'
import { domainsOf, linesOf } from '../../shared/options/lists.ts'
import { panels, tabs } from '../../shared/options/panels.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { workOf } from '../support/work-of.ts'
import { booleanKeys, defaultTexts, publicNames, secretKeys, specifiedKeys } from './option-tables.ts'

/** The key of the refusal of a raw value, or the stored text. */
function taken(key: OptionKey, raw: string): string {
  try {
    return encodeOption(key, decodeToSave(key, raw))
  } catch (error) {
    if (error instanceof OptionRefusal) return error.key
    throw error
  }
}

function refusalOf(key: OptionKey, raw: string): OptionRefusal {
  try {
    decodeOption(key, raw)
  } catch (error) {
    if (error instanceof OptionRefusal) return error
  }
  throw new Error(`${key} takes ${raw}`)
}

describe('the catalogue of options (docs/reference/options.md#areas)', () => {
  it.each(specifiedKeys)('declares %s', (key) => {
    expect(isOptionKey(key)).toBe(true)
  })

  it('encodes exactly the keys ending in Enabled, DefaultCollapseSidebar and DefaultUseAutoGroup as flags', () => {
    const named = (key: string) => /enabled$/i.test(key) || booleanKeys.includes(key)
    for (const key of optionKeys) expect([key, options[key].wire === 'flag']).toEqual([key, named(key)])
  })

  it('marks the secrets of docs/reference/options.md#secrets and no other key', () => {
    expect(optionKeys.filter((key) => options[key].secret).toSorted()).toEqual(secretKeys.toSorted())
  })

  it('publishes the fields of /api/status (docs/reference/api.md#status), and no secret', () => {
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

describe('defaults (docs/reference/options.md#defaults)', () => {
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

  it('stays quick on long hostile texts', async () => {
    const take = (length: number) => {
      taken('ServerAddress', `http://a${'/'.repeat(length)}x`)
      taken('RetryTimes', `${'1'.repeat(length)}x`)
      taken('EmailDomainWhitelist', `${'a.'.repeat(length / 5)}!`)
    }
    // Ten times the length takes about ten times the work; quadratic time would be a hundred times.
    const short = Math.max(await workOf(() => take(50_000)), 5)
    expect(await workOf(() => take(500_000))).toBeLessThan(40 * short)
  })

  it('reduces a line to one line', () => {
    expect(decodeOption('SystemName', ' Our\r\nBcc: you@example.com\u2028house ')).toBe(
      'Our Bcc: you@example.com house',
    )
    expect(decodeOption('SMTPFrom', 'a@example.com\n')).toBe('a@example.com')
  })

  it('reads lists of lines and domains', () => {
    expect(linesOf(' Bad Word \r\n\n other')).toEqual(['Bad Word', 'other'])
    expect(domainsOf('A.example, b.example,,a.example')).toEqual(['a.example', 'b.example'])
    expect(domainsOf('')).toEqual([])
  })
})

describe('validation (docs/reference/options.md#validation)', () => {
  it.each<[OptionKey, string, string]>([
    ['QuotaForNewUser', '-1', 'option.bad_integer'],
    ['QuotaForNewUser', '1.5', 'option.bad_integer'],
    ['QuotaForNewUser', '', 'option.bad_integer'],
    ['QuotaForNewUser', '0x10', 'option.bad_integer'],
    ['ChannelDisableThreshold', 'many', 'option.number_min'],
    ['Price', 'NaN', 'option.number_above'],
    ['QuotaForNewUser', '1e400', 'option.bad_integer'],
    ['ChannelDisableThreshold', '-0.1', 'option.number_min'],
    ['ChannelDisableThreshold', '0.5', '0.5'],
    ['DataExportInterval', '0', 'option.bad_integer'],
    ['DataExportInterval', '1', '1'],
    ['DataExportInterval', '40000', 'option.bad_integer'],
    ['DataExportDefaultTime', 'month', 'option.bad_choice'],
    ['Price', '0', 'option.number_above'],
    ['USDExchangeRate', '-7', 'option.number_above'],
    ['QuotaPerUnit', '0', 'option.number_above'],
    ['MinTopUp', '0', 'option.bad_integer'],
    ['SMTPPort', '0', 'option.bad_integer'],
    ['SMTPPort', '65536', 'option.bad_integer'],
    ['SMTPPort', '465', '465'],
    ['SystemName', '  ', 'option.required'],
    ['ModelRequestRateLimitDurationMinutes', '0', '0'],
    ['ModelRequestRateLimitCount', '-1', 'option.bad_integer'],
    ['ModelRequestRateLimitCount', '0', '0'],
    ['ModelRequestRateLimitSuccessCount', '0', 'option.bad_integer'],
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
    ['general_setting.ping_interval_seconds', '0', 'option.bad_integer'],
    ['general_setting.ping_interval_seconds', '1', '1'],
    ['oidc.well_known', 'ftp://id.example', 'option.bad_url'],
    ['oidc.well_known', 'id.example', 'option.bad_url'],
    ['oidc.well_known', '', ''],
    ['ServerAddress', 'javascript:alert(1)', 'option.bad_url'],
    ['ServerAddress', 'http://127.0.0.1:6411/', 'http://127.0.0.1:6411'],
    ['SystemName', 'x'.repeat(100), 'x'.repeat(100)],
    ['SystemName', 'x'.repeat(101), 'option.text_long'],
    ['Footer', 'x'.repeat(20_001), 'option.text_long'],
    ['Logo', `data:image/png;base64,${'x'.repeat(100_000)}`, 'option.text_long'],
    ['SMTPServer', 'x'.repeat(2001), 'option.text_long'],
    ['TopUpLink', `https://pay.example/${'x'.repeat(2000)}`, 'option.text_long'],
    ['Chats', JSON.stringify(Array.from({ length: 101 }, () => ({ a: 'https://a.example' }))), 'option.list_long'],
    ['Chats', JSON.stringify([{ a: `https://a.example/${'x'.repeat(2000)}` }]), 'option.entry_long'],
    ['PayMethods', JSON.stringify([{ name: 'x'.repeat(2000), type: 'a' }]), 'option.entry_long'],
    ['ServerAddress', 'https://u:p@host.example', 'option.address_credentials'],
    ['CustomCallbackAddress', 'https://u@host.example', 'option.address_credentials'],
    ['WorkerUrl', 'https://u:p@host.example', 'option.address_unsent'],
    ['ServerAddress', 'http://0.0.0.0:6411/', 'option.address_everywhere'],
    ['ServerAddress', 'http://[::]', 'option.address_everywhere'],
    ['oidc.token_endpoint', 'https://u:p@host.example/token', 'option.address_unsent'],
    ['TopUpLink', 'https://u:p@host.example', 'option.address_credentials'],
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
    ['ModelRatio', '{"gpt-4o":1000000}', '{"gpt-4o":1000000}'],
    ['ModelRatio', '{"gpt-4o":1000001}', 'option.map_max'],
    ['ModelPrice', '{"gpt-4o":1e308}', 'option.map_max'],
    ['GroupRatio', '{"vip":1000001}', 'option.map_max'],
    ['GroupGroupRatio', '{"vip":{"default":1000001}}', 'option.map_max'],
    ['ModelRatio', '{"":1}', 'option.name_blank'],
    ['ModelRatio', '{"gpt-4o ":1}', 'option.name_blank'],
    ['CompletionRatio', '{"\\tgpt-4o":1}', 'option.name_blank'],
    ['GroupRatio', '{"default":1,"auto":1}', 'option.group_auto'],
    ['GroupGroupRatio', '{"auto":{"default":1}}', 'option.group_auto'],
    ['GroupGroupRatio', '{"vip":{"auto":1}}', 'option.group_auto'],
    ['UserUsableGroups', '{"auto":"By itself"}', '{"auto":"By itself"}'],
    ['AutoGroups', '["vip","auto"]', 'option.group_auto'],
    ['AutoGroups', '["vip","default","vip"]', 'option.group_twice'],
    ['AutoGroups', '["a,b"]', 'option.group_name'],
    ['AutoGroups', '["vip","later"]', '["vip","later"]'],
    ['GroupRatio', '{" vip":1}', 'option.name_blank'],
    ['UserUsableGroups', '{"vip ":"for friends"}', 'option.name_blank'],
    ['GroupGroupRatio', '{"vip":{"default ":1}}', 'option.name_blank'],
    ['AutoGroups', '["default "]', 'option.name_blank'],
    ['ModelRequestRateLimitGroup', '{"vip ":[1,1]}', 'option.name_blank'],
    ['ModelMaxOutput', '{"":1}', 'option.name_blank'],
    ['claude.model_headers_settings', '{" m":{}}', 'option.name_blank'],
    ['gemini.version_settings', '{"":"v1"}', 'option.name_blank'],
    ['gemini.supported_imagine_models', '[" m"]', 'option.name_blank'],
    ['ModelPrice', 'null', 'option.map_shape'],
    ['ModelPrice', '{', 'option.bad_json'],
    ['TopupGroupRatio', 'x', 'option.bad_json'],
    ['PayMethods', '[{"name":"Card"}]', 'option.pay_shape'],
    ['PayMethods', '[{"name":"Card","type":"card"}]', '[{"name":"Card","type":"card"}]'],
    ['Chats', '[{"One":"a","Two":"b"}]', 'option.chats_shape'],
    ['Chats', '[{}]', 'option.chats_shape'],
    ['Chats', '[{" ":"https://chat.example"}]', 'option.chats_shape'],
    ['RetryTimes', '10', '10'],
    ['RetryTimes', '11', 'option.bad_integer'],
    ['Price', '1000000', '1000000'],
    ['Price', '1000001', 'option.number_above'],
    ['QuotaForNewUser', '1000000000000001', 'option.bad_integer'],
    ['general_setting.docs_link', 'javascript:alert(1)', 'option.bad_url'],
    ['Logo', 'data:image/png;base64,iVBORw0=', 'data:image/png;base64,iVBORw0='],
    ['Logo', 'data:text/html,<script>', 'option.bad_url'],
    ['Logo', 'data:image/png,\n<script>', 'option.bad_url'],
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
    expect(taken('ModelRatio', '{"__proto__":{"polluted":1},"constructor":2}')).toBe('option.json_name')
    const ratios = decodeOption('ModelRatio', '{"constructor":2}')
    expect(Object.getPrototypeOf(ratios)).toBe(Object.prototype)
    expect(Object.entries(ratios)).toEqual([['constructor', 2]])
  })
})

describe('options that become links (docs/reference/security.md#page-headers)', () => {
  /** Content that executes or loads something when it is opened, and its disguises. */
  const hostile = [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'javascript://%0aalert(1)', 'java\tscript:alert(1)'],
    ...['\u0001javascript:alert(1)', 'java\nscript://x', '&#106;avascript:alert(1)', '%6aavascript:alert(1)'],
    ...['data:text/html,<script>alert(1)</script>', 'DATA://text/html,x', 'vbscript:msgbox(1)', 'VBScript://x'],
    ...['file:///etc/passwd', 'FILE://host/share', 'blob:https://a.example/1', 'blob://x', 'about:blank', 'about://x'],
    ...['view-source:https://a.example', 'view-source://x', 'filesystem:https://a.example/x', 'filesystem://x'],
    ...['ms-msdt://id', 'search-ms://query', 'intent://x', 'smb://host/share', 'chrome://settings', 'shell://x'],
    ...['//a.example', '/path', 'a.example', 'https:a.example', 'https:/a.example', 'https:\\\\a.example', 'https://'],
    ...['https://a.example/\u202egnp.exe', 'https://a\u200b.example', '{address}/chat', '{key}://x', '', ' '],
  ]
  const web = ['https://a.example', 'HTTP://a.example/x?y=1#z', 'http://127.0.0.1:3000/#/?key=1']
  const ofPrograms = [
    'ama://set-api-key?server={address}&key={key}',
    'opencat://team/join?domain={address}&token={key}',
  ]
  const links = optionKeys.filter((key) => /Link$|_link$|_endpoint$|well_known$|Address$|Url$/.test(key))

  it('are these', () => {
    expect(links).toEqual(
      expect.arrayContaining(['TopUpLink', 'general_setting.docs_link', 'ServerAddress', 'PayAddress']),
    )
  })

  it.each(links)('%s is an address of the web or empty', (key) => {
    for (const text of hostile.filter((one) => one.trim() !== ''))
      expect(taken(key, text), JSON.stringify(text)).toBe('option.bad_url')
    for (const text of web) expect(taken(key, text)).toBe(text)
    expect(taken(key, ' ')).toBe('')
  })

  it('Chats leads to the web or to a program', () => {
    for (const text of hostile)
      expect(taken('Chats', JSON.stringify([{ One: text }])), JSON.stringify(text)).toBe('option.chats_link')
    for (const text of [...web, ...ofPrograms, 'cherrystudio://providers/api-keys?v=1&data={key}']) {
      const stored = JSON.stringify([{ One: text }])
      expect(taken('Chats', stored)).toBe(stored)
    }
  })
})

describe('the bounds of numbers', () => {
  const numbers = optionKeys.filter((key) => options[key].wire === 'number')

  it.each(numbers)('%s has some, shown at its field and in its refusals, and enforced', (key) => {
    const range = rangeOf(key)
    const { min, max } = range?.params ?? {}
    expect(Number.isFinite(min) && Number.isFinite(max)).toBe(true)
    for (const locale of ['en', 'zh'] as const) {
      const told = formatMessage(locale, range?.key ?? 'param.invalid', range?.params)
      expect(told).toContain(String(min))
      expect(told).toContain(String(max))
    }
    expect(taken(key, String(max))).toBe(String(max))
    for (const raw of [String(Number(max) + 1), '1e300', String(Number(min) - 1)]) {
      const refusal = refusalOf(key, raw)
      const told = formatMessage('en', refusal.key, refusal.params)
      expect(told, raw).toContain(String(min))
      expect(told, raw).toContain(String(max))
    }
  })

  it('of retention days of charges state the minimum except for 0, in both languages', () => {
    const { least } = options.LedgerRetentionDays.bounds ?? {}
    expect(taken('LedgerRetentionDays', String(least))).toBe(String(least))
    const refusal = refusalOf('LedgerRetentionDays', String(Number(least) - 1))
    const range = rangeOf('LedgerRetentionDays')
    for (const locale of ['en', 'zh'] as const) {
      expect(formatMessage(locale, refusal.key, refusal.params)).toContain(String(least))
      expect(formatMessage(locale, range?.key ?? 'param.invalid', range?.params)).toContain(String(least))
    }
  })

  it('belong only to numbers', () => {
    expect(optionKeys.filter((key) => rangeOf(key)).toSorted()).toEqual(numbers.toSorted())
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
