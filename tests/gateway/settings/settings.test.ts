import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/base/errors.ts'
import { openSettings } from '../../../gateway/settings/settings.ts'
import type { Author, OptionWrite } from '../../../gateway/store/options.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { encodeOption, type OptionKey, optionKeys, options } from '../../../shared/options/index.ts'
import { retries } from '../../support/retries.ts'
import { invalidJson, secretExamples } from './examples.ts'

/** Settings over a table in memory; `fail` makes the next save fail. */
async function aTable(rows: Record<string, string> = {}) {
  const table = new Map(Object.entries(rows))
  const warnings: Readonly<Record<string, unknown>>[] = []
  const disk: { fail: Error | undefined } = { fail: undefined }
  const saved: [readonly OptionWrite[], Author][] = []
  const store = {
    load: async () => [...table].map(([key, value]) => ({ key, value })),
    save: async (writes: readonly OptionWrite[], author: Author) => {
      if (disk.fail) throw disk.fail
      for (const { key, value } of writes) table.set(key, value)
      saved.push([writes, author])
      return true
    },
  }
  const settings = await openSettings({
    store,
    listenAddress: () => 'http://127.0.0.1:6411',
    warn: (_message, fields) => warnings.push(fields),
  })
  return { settings, table, warnings, disk, saved }
}

/** The kind and English text of the refusal with which a promise rejects. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof GatewayError)) throw new Error('was not refused', { cause: error })
  return `${error.kind}: ${formatMessage('en', error.key, error.params)}`
}

describe('reading settings', () => {
  it('returns the stored value, and the default where none is stored', async () => {
    const { settings } = await aTable({ RetryTimes: '5', SystemName: 'Mine' })
    expect(settings.get('RetryTimes')).toBe(5)
    expect(settings.get('SystemName')).toBe('Mine')
    expect(settings.get('DataExportInterval')).toBe(5)
    expect(settings.get('SensitiveWords')).toBe('')
  })

  it('preserves an address that could not be saved now', async () => {
    const { settings, warnings } = await aTable({
      WorkerUrl: 'https://u:p@worker.example',
      TopUpLink: 'https://u@pay.example',
    })
    expect([settings.get('WorkerUrl'), settings.get('TopUpLink'), warnings]).toEqual([
      'https://u:p@worker.example',
      'https://u@pay.example',
      [],
    ])
  })

  it('supplies the built-in price tables (docs/reference/billing.md#built-in-prices)', async () => {
    const { settings } = await aTable()
    expect(settings.get('ModelRatio')['gpt-4o']).toBe(1.25)
    expect(settings.get('ModelPrice')['dall-e-3']).toBe(0.04)
    expect(settings.get('CompletionRatio')['gpt-image-1']).toBe(8)
    expect(settings.get('CacheRatio')['deepseek-chat']).toBe(0.25)
    expect(settings.get('CreateCacheRatio')['claude-opus-4-20250514']).toBe(1.25)
    expect(settings.get('ImageRatio')['gpt-image-1']).toBe(2)
    expect(settings.get('AudioRatio')['gpt-4o-audio-preview']).toBe(16)
    expect(settings.get('AudioCompletionRatio')['tts-1']).toBe(0)
    for (const key of ['ModelRatio', 'ModelPrice', 'CacheRatio'] as const) {
      expect(Object.keys(settings.get(key)).filter((name) => name.startsWith('_'))).toEqual([])
    }
  })

  it('starts with a table it cannot read, warns which row, and uses the default', async () => {
    const { settings, warnings } = await aTable({ GroupRatio: '{"vip":', RetryTimes: 'many', Unheard: 'of' })
    expect(settings.get('GroupRatio')).toEqual({ default: 1, vip: 1, svip: 1 })
    expect(settings.get('RetryTimes')).toBe(retries.usual)
    expect(warnings.map(({ option }) => option)).toEqual(['GroupRatio', 'RetryTimes', 'Unheard'])
    expect(JSON.stringify(warnings)).not.toMatch(/many|"of"/)
  })

  it('uses the nearest bound for a number an earlier release accepted, and warns', async () => {
    const { settings, warnings } = await aTable({
      RetryTimes: '4000',
      Price: '1e9',
      SMTPPort: '0',
      QuotaForNewUser: '-1',
      QuotaPerUnit: '0',
    })
    expect([settings.get('RetryTimes'), settings.get('Price'), settings.get('SMTPPort')]).toEqual([
      retries.max,
      1_000_000,
      1,
    ])
    expect([settings.get('QuotaForNewUser'), settings.get('QuotaPerUnit')]).toEqual([0, 500_000])
    expect(warnings).toMatchObject([
      { option: 'RetryTimes', bound: String(retries.max) },
      { option: 'Price', bound: '1000000' },
      { option: 'SMTPPort', bound: '1' },
      { option: 'QuotaForNewUser', bound: '0' },
      { option: 'QuotaPerUnit', reason: 'option.number_above' },
    ])
  })

  it('returns values that cannot be changed from outside', async () => {
    const { settings } = await aTable()
    expect(() => Object.assign(settings.get('GroupRatio'), { vip: 0 })).toThrow(TypeError)
    await settings.set('Chats', '[{"One":"https://chat.example"}]')
    expect(() => Object.assign(settings.get('Chats')[0] ?? {}, { One: '' })).toThrow(TypeError)
  })

  it('links to where the gateway listens until an address is set (Settled 16)', async () => {
    const { settings } = await aTable()
    expect(settings.serverAddress()).toBe('http://127.0.0.1:6411')
    expect(settings.published().server_address).toBe('http://127.0.0.1:6411')
    expect(settings.all()).toContainEqual({ key: 'ServerAddress', value: '' })
    await settings.set('ServerAddress', 'https://gate.example/')
    expect(settings.serverAddress()).toBe('https://gate.example')
    expect(settings.published().server_address).toBe('https://gate.example')
  })
})

describe('writing settings (docs/reference/options.md#validation, docs/reference/options.md#writing)', () => {
  it('stores the tidied text and puts it in force at once', async () => {
    const { settings, table } = await aTable()
    await settings.set('PayAddress', ' https://pay.example/ ')
    expect(table.get('PayAddress')).toBe('https://pay.example')
    expect(settings.get('PayAddress')).toBe('https://pay.example')
  })

  it('refuses an unknown key', async () => {
    const { settings, table } = await aTable()
    expect(await refusal(settings.set('NoSuchOption', 'x'))).toBe('invalid: Unknown option NoSuchOption')
    expect(await refusal(settings.set('constructor', 'x'))).toBe('invalid: Unknown option constructor')
    expect(table.size).toBe(0)
  })

  it.each(Object.entries(invalidJson))('an invalid %s leaves the stored value in force', async (key, bad) => {
    const name = key as OptionKey // the keys of the example table are option keys, as its type says
    const { settings, table } = await aTable()
    await settings.reset(name)
    const stored = table.get(name)
    for (const raw of ['{"broken":', '', ...bad]) {
      expect(await refusal(settings.set(name, raw))).toMatch(/^invalid: /)
    }
    expect(table.get(name)).toBe(stored)
    expect(encodeOption(name, settings.get(name))).toBe(stored)
  })

  it('covers every JSON option with an invalid example', () => {
    expect(Object.keys(invalidJson).toSorted()).toEqual(
      optionKeys.filter((key) => options[key].wire === 'json').toSorted(),
    )
  })

  it('leaves the old value in force when the table cannot be written', async () => {
    const { settings, disk } = await aTable({ RetryTimes: '1' })
    disk.fail = new Error('disk full')
    await expect(settings.set('RetryTimes', '9')).rejects.toThrow('disk full')
    expect(settings.get('RetryTimes')).toBe(1)
    disk.fail = undefined
    await settings.set('RetryTimes', '9')
    expect(settings.get('RetryTimes')).toBe(9)
  })

  it('applies writes in the order they were made', async () => {
    const { settings, table } = await aTable()
    await Promise.all(['1', '2', '3'].map((raw) => settings.set('RetryTimes', raw)))
    expect([settings.get('RetryTimes'), table.get('RetryTimes')]).toEqual([3, '3'])
  })

  it('resets the model ratios to the built-in table (POST /api/option/rest_model_ratio)', async () => {
    const { settings, table } = await aTable()
    await settings.set('ModelRatio', '{"mine":3}')
    await settings.set('ModelPrice', '{"mine":1}')
    await settings.reset('ModelRatio')
    expect(settings.get('ModelRatio')['gpt-4o']).toBe(1.25)
    expect(JSON.parse(table.get('ModelRatio') ?? '')['gpt-4o']).toBe(1.25)
    expect(settings.get('ModelPrice')).toEqual({ mine: 1 })
  })
})

describe('several settings at once (docs/reference/options.md#writing)', () => {
  const by: Author = { id: 7, username: 'alice', origin: 'edit' }

  it('are stored together and put in force together', async () => {
    const { settings, saved } = await aTable({ RetryTimes: '1' })
    const seen: unknown[] = []
    settings.onChange(['RetryTimes', 'Price'], (changed) => seen.push([changed, settings.get('Price')]))
    const wanted = [
      { key: 'RetryTimes', value: ' 3 ' },
      { key: 'Price', value: '8' },
    ]
    expect(await settings.change(wanted, by)).toEqual([])
    expect(seen).toEqual([[['RetryTimes', 'Price'], 8]])
    expect(saved).toEqual([
      [
        [
          { key: 'RetryTimes', before: '1', value: '3' },
          { key: 'Price', before: '7.3', value: '8' },
        ],
        by,
      ],
    ])
  })

  it('stay unchanged when one is refused, unknown or given twice, or the table cannot be written', async () => {
    const { settings, saved, disk } = await aTable()
    const good = { key: 'RetryTimes', value: '3' }
    for (const [bad, why] of [
      [{ key: 'Price', value: 'much' }, 'Price per USD: Enter a number greater than 0 and at most 1000000'],
      [{ key: 'NoSuchOption', value: '1' }, 'Unknown option NoSuchOption'],
      [{ key: 'RetryTimes', value: '4' }, 'Each option can be given only once'],
    ] as const)
      expect(await refusal(settings.change([good, bad], by))).toBe(`invalid: ${why}`)
    disk.fail = new Error('disk full')
    await expect(settings.change([good], by)).rejects.toThrow('disk full')
    expect([settings.get('RetryTimes'), saved]).toEqual([retries.usual, []])
  })

  it('are validated by their combined result: values that a flag needs may be set or removed with it', async () => {
    const { settings } = await aTable()
    const flag = { key: 'WeChatAuthEnabled', value: 'true' }
    const address = (value: string) => ({ key: 'WeChatServerAddress', value })
    expect(await refusal(settings.change([flag, address('')], by))).toMatch(/^invalid: Cannot turn on/)
    expect(await settings.change([flag, address('https://wechat.example')], by)).toEqual([])
    expect(await refusal(settings.change([flag, address('')], by))).toMatch(/^invalid: Cannot turn on/)
    expect(settings.get('WeChatServerAddress')).toBe('https://wechat.example')
  })

  it('are not saved if one has changed since it was chosen, in any notation', async () => {
    const { settings, saved } = await aTable({ GroupRatio: '{"default":1,"vip":2}', RetryTimes: '1' })
    const retries = { key: 'RetryTimes', value: '3' }
    const wanted = (base: string) => [retries, { key: 'GroupRatio', value: '{"default":1}', base }]
    for (const base of ['{"default":1}', 'no JSON', ''])
      expect(await settings.change(wanted(base), by)).toEqual(['GroupRatio'])
    expect([settings.get('RetryTimes'), saved]).toEqual([1, []])
    expect(await settings.change(wanted('{ "default": 1.0, "vip": 2 }'), by)).toEqual([])
    expect(settings.get('GroupRatio')).toEqual({ default: 1 })
  })
})

describe('flags that need other settings (docs/reference/options.md#dependencies)', () => {
  it('are refused until those are filled in, by name', async () => {
    const { settings, table } = await aTable()
    expect(await refusal(settings.set('GitHubOAuthEnabled', 'true'))).toBe(
      'invalid: Cannot turn on Login with GitHub: fill in GitHub client ID, GitHub client secret first',
    )
    await settings.set('GitHubClientId', 'an-id')
    expect(await refusal(settings.set('GitHubOAuthEnabled', 'true'))).toContain('fill in GitHub client secret first')
    expect(table.has('GitHubOAuthEnabled')).toBe(false)
    await settings.set('GitHubClientSecret', 'a-secret')
    await settings.set('GitHubOAuthEnabled', 'true')
    expect(settings.get('GitHubOAuthEnabled')).toBe(true)
  })

  it('take into account the settings written just before them', async () => {
    const { settings } = await aTable()
    const writes = [
      settings.set('TurnstileSiteKey', 'site'),
      settings.set('TurnstileSecretKey', 'secret'),
      settings.set('TurnstileCheckEnabled', 'true'),
    ]
    await Promise.all(writes)
    expect(settings.get('TurnstileCheckEnabled')).toBe(true)
  })

  it('protect the settings they need while they are on: these may be exchanged, and emptied only together with the flag', async () => {
    const { settings } = await aTable()
    for (const key of ['GitHubClientId', 'GitHubClientSecret', 'SMTPServer']) await settings.set(key, 'first')
    for (const key of ['GitHubOAuthEnabled', 'EmailVerificationEnabled']) await settings.set(key, 'true')
    expect(await refusal(settings.set('SMTPServer', ' '))).toBe(
      'invalid: Cannot empty SMTP server: turn off Email verification on registration first',
    )
    expect(await refusal(settings.reset('GitHubClientSecret'))).toContain('turn off Login with GitHub first')
    await settings.set('GitHubClientSecret', 'second')
    const off = { key: 'GitHubOAuthEnabled', value: 'false' }
    const author: Author = { id: 7, username: 'alice', origin: 'edit' }
    expect(await settings.change([{ key: 'GitHubClientSecret', value: '' }, off], author)).toEqual([])
    expect([settings.get('SMTPServer'), settings.get('GitHubClientSecret')]).toEqual(['first', ''])
  })

  it('may always be turned off', async () => {
    const { settings } = await aTable({ WeChatAuthEnabled: 'true' })
    await settings.set('WeChatAuthEnabled', 'false')
    expect(settings.get('WeChatAuthEnabled')).toBe(false)
  })

  it.each([
    ['EmailVerificationEnabled', { SMTPServer: 'mail.example' }],
    ['LinuxDOOAuthEnabled', { LinuxDOClientId: 'id' }],
    ['WeChatAuthEnabled', { WeChatServerAddress: 'https://wechat.example' }],
    ['TelegramOAuthEnabled', { TelegramBotToken: '1:token' }],
    ['EmailDomainRestrictionEnabled', { EmailDomainWhitelist: 'example.com' }],
    [
      'oidc.enabled',
      {
        'oidc.client_id': 'id',
        'oidc.authorization_endpoint': 'https://id.example/authorize',
        'oidc.token_endpoint': 'https://id.example/token',
        'oidc.user_info_endpoint': 'https://id.example/userinfo',
      },
    ],
  ])('%s', async (flag, needed) => {
    const { settings } = await aTable({ EmailDomainWhitelist: '' })
    expect(await refusal(settings.set(flag, 'true'))).toMatch(/^invalid: Cannot turn on/)
    for (const [key, value] of Object.entries(needed)) await settings.set(key, value)
    await expect(settings.set(flag, 'true')).resolves.toBeUndefined()
  })
})

describe('being notified of changes', () => {
  it('calls back once per write with the keys that changed, after the value is in force', async () => {
    const { settings } = await aTable()
    const seen: unknown[] = []
    const stop = settings.onChange(['RetryTimes', 'Price'], (changed) =>
      seen.push([changed, settings.get('RetryTimes')]),
    )
    await settings.set('RetryTimes', '4')
    await settings.set('RetryTimes', ' 4 ')
    await settings.set('SystemName', 'Other')
    stop()
    await settings.set('RetryTimes', '5')
    expect(seen).toEqual([[['RetryTimes'], 4]])
  })

  it('survives a listener that fails', async () => {
    const { settings, warnings } = await aTable()
    const seen: string[] = []
    settings.onChange(['Price'], () => {
      throw new Error('broken listener')
    })
    settings.onChange(['Price'], () => seen.push('told'))
    await settings.set('Price', '8')
    expect(seen).toEqual(['told'])
    expect(warnings).toHaveLength(1)
  })

  it('derives a value once and again only when one of its settings has changed', async () => {
    const { settings } = await aTable({ Price: '7.3', RetryTimes: '2' })
    let built = 0
    const sum = settings.derive(['Price', 'RetryTimes'], () => {
      built += 1
      return settings.get('Price') + settings.get('RetryTimes')
    })
    expect([sum(), sum(), built]).toEqual([9.3, 9.3, 1])
    await settings.set('SystemName', 'Other')
    await settings.set('RetryTimes', '2')
    expect([sum(), built]).toEqual([9.3, 1])
    await settings.set('RetryTimes', '3')
    expect([sum(), built]).toEqual([10.3, 2])
  })

  it('never shows a listener something derived from before the change', async () => {
    const { settings } = await aTable()
    const seen: number[] = []
    settings.onChange(['RetryTimes'], () => seen.push(doubled()))
    const doubled = settings.derive(['RetryTimes'], () => settings.get('RetryTimes') * 2)
    doubled()
    await settings.set('RetryTimes', '6')
    expect(seen).toEqual([12])
  })

  it('takes over changes of another process', async () => {
    const { settings, table } = await aTable()
    const changed: OptionKey[] = []
    settings.onChange(optionKeys, (keys) => changed.push(...keys))
    table.set('RetryTimes', '7')
    table.set('GroupRatio', '{ "default": 1, "vip": 1, "svip": 1 }')
    table.set('Price', 'unreadable')
    await settings.reload()
    expect(settings.get('RetryTimes')).toBe(7)
    expect(changed).toEqual(['RetryTimes'])
  })
})

describe('settings that leave the gateway', () => {
  it('never include a secret, neither for administrators nor for everyone', async () => {
    const { settings } = await aTable(secretExamples)
    for (const [key, value] of Object.entries(secretExamples)) {
      expect(settings.get(key as keyof typeof secretExamples)).toBe(value)
    }
    expect(JSON.stringify([settings.all(), settings.published()])).not.toContain('hidden-')
    expect(settings.all().map(({ key }) => key)).toContain('TurnstileSiteKey')
  })

  it('lists every other option once, as text', async () => {
    const { settings } = await aTable()
    const all = settings.all()
    expect(all).toHaveLength(optionKeys.length - Object.keys(secretExamples).length)
    expect(all.every(({ value }) => typeof value === 'string')).toBe(true)
    expect(all).toContainEqual({ key: 'RegisterEnabled', value: 'true' })
  })

  it('publishes values in their own types (docs/reference/api.md#status)', async () => {
    const { settings } = await aTable({ EmailVerificationEnabled: 'true', Footer: '<b>ours</b>' })
    expect(settings.published()).toMatchObject({
      system_name: 'Switchyard',
      email_verification: true,
      footer_html: '<b>ours</b>',
      quota_per_unit: 500_000,
      price: 7.3,
      min_topup: 1,
      data_export_default_time: 'hour',
      pay_methods: [{ type: 'zfb' }, { type: 'wx' }],
    })
  })
})
