import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { logType } from '../../../shared/enums.ts'
import { encodeOption, isOptionKey, type OptionKey, optionKeys, options } from '../../../shared/options/index.ts'
import { messageAnswer } from '../../support/anthropic.ts'
import { chatAnswer } from '../../support/chat.ts'
import { geminiAnswer } from '../../support/gemini.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
const ratios = {
  mortal: 1,
  'gpt-4o': 1,
  other: 1,
  'gemini-2.5-flash': 1,
  'gemini-draws': 1,
  toString: 1,
  'claude-3-7-sonnet': 1,
}

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { ...ratios, 'gemini-2.5-flash-thinking': 1, 'claude-3-7-sonnet-thinking': 1 },
      ModelPrice: { 'by-call': 0.5 },
      CompletionRatio: { 'gpt-4o': 1, other: 1 },
    },
  })
  for (const name of ['first', 'second']) await world.channel({ name, models: 'gpt-4o,other,by-call,unpriced' })
  await world.channel({ type: 24, models: 'gemini-2.5-flash,gemini-2.5-flash-thinking,gemini-draws,toString' })
  await world.channel({ type: 14, models: 'claude-3-7-sonnet,claude-3-7-sonnet-thinking' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

/** Changes an option as an administrator does, while the gateway runs. */
const put = (key: OptionKey, value: unknown) => world.admin.put('/api/option', { key, value })

/** The upstream request for a model. */
async function sent(model: string, body: object = {}) {
  world.upstream.answers(
    model.startsWith('claude') ? { body: messageAnswer({ texts: ['Hi'] }) } : { body: geminiAnswer({ texts: ['Hi'] }) },
  )
  const { status, text } = await alice.asks(model, 'hi', { body })
  expect(status, text).toBe(200)
  return world.upstream.last()
}

async function charged(model: string): Promise<number> {
  const before = await alice.quota()
  expect((await alice.asks(model, 'hi')).status).toBe(200)
  return before - (await alice.quota())
}

describe('the content of the public status (docs/reference/api.md#status)', () => {
  /** Values other than the default, for options that are not switches. */
  const others: Partial<Record<OptionKey, unknown>> = {
    SystemName: 'Our house',
    Logo: '/logo.png',
    Footer: '<b>ours</b>',
    TopUpLink: 'https://shop.example',
    'general_setting.docs_link': 'https://docs.example',
    QuotaPerUnit: 1000,
    QuotaRemindThreshold: 7,
    USDExchangeRate: 8,
    Price: 9,
    MinTopUp: 3,
    PayMethods: [{ name: 'Card', type: 'card' }],
    Chats: [{ One: 'https://chat.example' }],
    ChatLink: 'https://chat.example',
    DataExportDefaultTime: 'week',
    KeepBodiesHours: 48,
    KeepBodiesViewers: 'owner',
    WeChatAccountQRCodeImageURL: '/code.png',
    'oidc.authorization_endpoint': 'https://id.example/authorize',
  }
  /** Options that are verified before they are saved; other tests cover them. */
  const proven = ['ServerAddress', 'PasswordLoginEnabled', 'TurnstileCheckEnabled']
  const published = optionKeys.filter((key) => options[key].publishAs && !proven.includes(key))

  it.each(published)('%s: follows at once', async (key) => {
    const { publishAs = '', default: usual } = options[key]
    for (const needed of options[key].needs ?? [])
      if (isOptionKey(needed)) expect((await put(needed, examples(needed))).success, needed).toBe(true)
    const value = others[key] ?? (typeof usual === 'boolean' ? !usual : `a ${key}`)
    expect((await put(key, typeof value === 'object' ? JSON.stringify(value) : value)).message).toBe('')
    expect((await world.visitor.get('/api/status')).data[publishAs]).toEqual(value)
    expect((await put(key, encodeOption(key, usual as never))).success).toBe(true) // the default is of the option's type
    expect((await world.visitor.get('/api/status')).data[publishAs]).toEqual(usual)
  })

  const examples = (key: OptionKey): string =>
    /endpoint|Address/.test(key) ? 'https://example.com/place' : 'something'
})

describe('cost and log row of a call, from the next call on', () => {
  it('QuotaPerUnit is the quota of a dollar', async () => {
    expect(await charged('by-call')).toBe(250_000)
    await put('QuotaPerUnit', 1000)
    expect(await charged('by-call')).toBe(500)
    await put('QuotaPerUnit', 500_000)
  })

  it('ModelPrice goes before the ratios, and is gone at once', async () => {
    const byTokens = await charged('gpt-4o')
    await put('ModelPrice', '{"by-call":0.5,"gpt-4o":0.01}')
    expect(await charged('gpt-4o')).toBe(5000)
    await put('ModelPrice', '{"by-call":0.5}')
    expect(await charged('gpt-4o')).toBe(byTokens)
  })

  it('SelfUseModeEnabled lets models be called that have no price', async () => {
    expect((await alice.asks('unpriced', 'hi')).status).toBe(400)
    await put('SelfUseModeEnabled', true)
    expect((await alice.asks('unpriced', 'hi')).status).toBe(200)
    await put('SelfUseModeEnabled', false)
    expect((await alice.asks('unpriced', 'hi')).status).toBe(400)
  })

  it('LogConsumeEnabled off leaves no entry, and charges nevertheless', async () => {
    const entries = async () =>
      (await world.admin.get(`/api/log?type=${logType.consume}&username=${alice.username}`)).data.total
    const before = await entries()
    await put('LogConsumeEnabled', false)
    expect(await charged('by-call')).toBe(250_000)
    expect(await entries()).toBe(before)
    await put('LogConsumeEnabled', true)
    expect(await charged('by-call')).toBe(250_000)
    expect(await entries()).toBe(before + 1)
  })

  it('ModelMaxOutput and DefaultMaxOutput limit the length of an answer, and so what a small account is cut to', async () => {
    const poor = await world.user({ quota: 3000 })
    const limit = async () => {
      world.upstream.reset()
      expect((await poor.asks('other', 'hi')).status).toBe(200)
      return world.upstream.last().json.max_tokens ?? null
    }
    await put('DefaultMaxOutput', 100)
    expect(await limit()).toBeNull()
    await put('ModelMaxOutput', '{"oth*":100000}')
    expect(await limit()).toBeLessThan(3000)
    await put('ModelMaxOutput', '{"other":90}')
    expect(await limit()).toBeNull()
    await put('ModelMaxOutput', '{}')
    await put('DefaultMaxOutput', 8192)
    expect(await limit()).toBeLessThan(3000)
  })

  it('USDExchangeRate converts prices of vendors in yuan into dollars', async () => {
    const id = await world.channel({ type: 25, name: 'in yuan', models: 'elsewhere' })
    world.upstream.answers({ body: { code: 0, data: { available_balance: 16 } } })
    const balance = async () => (await world.admin.get(`/api/channel/update_balance/${id}`)).body.balance
    await put('USDExchangeRate', 8)
    expect(await balance()).toBe(2)
    await put('USDExchangeRate', 4)
    expect(await balance()).toBe(4)
    await put('USDExchangeRate', 7.3)
  })
})

describe('blocked words in an answer, from the next call on (docs/reference/limits.md#blocked-words)', () => {
  it('SensitiveWords are the words that stop it, StopOnSensitiveEnabled and CheckSensitiveEnabled turn it on', async () => {
    world.upstream.answers({ body: chatAnswer('all that is forbidden here') })
    const said = async () => (await alice.asks('gpt-4o', 'hi')).content
    expect(await said()).toBe('all that is forbidden here')
    await put('SensitiveWords', 'forbidden')
    expect(await said()).not.toContain('forbidden')
    await put('StopOnSensitiveEnabled', false)
    expect(await said()).toContain('forbidden')
    await put('StopOnSensitiveEnabled', true)
    expect(await said()).not.toContain('forbidden')
    await put('CheckSensitiveEnabled', false)
    expect(await said()).toContain('forbidden')
    await put('CheckSensitiveEnabled', true)
    await put('SensitiveWords', '')
    expect(await said()).toContain('forbidden')
  })
})

describe('the selection of channels, from the next call on', () => {
  it('RetryTimes is how many more are tried', async () => {
    const failsOnce = () =>
      world.upstream.answers({ status: 500, body: { error: { message: 'broken' } } }, { body: chatAnswer('Hi') })
    await put('RetryTimes', 0)
    failsOnce()
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(500)
    expect(world.upstream.requests).toHaveLength(1)
    await put('RetryTimes', 1)
    world.clock.advance(3_600_000)
    world.upstream.reset()
    failsOnce()
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
    expect(world.upstream.requests).toHaveLength(2)
    await put('RetryTimes', 2)
  })

  it('AutomaticDisableChannelEnabled, its phrases, its number of failures and their minutes decide when one is switched off', async () => {
    const id = await world.channel({ name: 'dying', models: 'mortal' })
    await put('RetryTimes', 0)
    const isOn = async () => (await world.admin.get(`/api/channel/${id}`)).data.status === 1
    const fail = async (message: string) => {
      world.upstream.answers({ status: 403, body: { error: { message } } })
      expect((await alice.asks('mortal', 'hi')).status).toBeGreaterThanOrEqual(400)
      world.clock.advance(60_000)
    }
    await fail('The lights are out')
    expect(await isOn()).toBe(true)
    await put('AutomaticDisableChannelEnabled', true)
    await put('AutomaticDisableKeywords', 'lights are out')
    await put('monitor_setting.disable_after_failures', 2)
    await put('monitor_setting.disable_within_minutes', 1)
    await fail('The lights are out')
    world.clock.advance(10 * 60_000)
    await fail('The lights are out')
    expect(await isOn(), 'the first failure is too long ago').toBe(true)
    await put('monitor_setting.disable_within_minutes', 60)
    world.clock.advance(60 * 60_000)
    await fail('The lights are out')
    expect(await isOn()).toBe(true)
    await put('monitor_setting.disable_after_failures', 1)
    await fail('Something else')
    expect(await isOn()).toBe(true)
    await fail('The lights are out')
    expect(await isOn()).toBe(false)
    await put('AutomaticDisableChannelEnabled', false)
    await put('RetryTimes', 2)
  })
})

describe('requests to Gemini, from the next call on (docs/reference/conversion.md#openai-to-gemini)', () => {
  it('gemini.safety_settings: the thresholds of the categories', async () => {
    await put('gemini.safety_settings', '{"default":"BLOCK_NONE","HARM_CATEGORY_HARASSMENT":"BLOCK_ONLY_HIGH"}')
    const { safetySettings } = (await sent('gemini-2.5-flash')).json
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' })
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' })
    await put('gemini.safety_settings', '{"default":"OFF"}')
    const later = (await sent('gemini-2.5-flash')).json.safetySettings
    expect(later).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })
  })

  it('gemini.version_settings: the version of the API, of the model or the default one, and no built-in’s name', async () => {
    await put('gemini.version_settings', '{"default":"v1beta","gemini-2.5-flash":"v1"}')
    expect((await sent('gemini-2.5-flash')).path).toMatch(/^\/v1\/models/)
    expect((await sent('gemini-draws')).path).toMatch(/^\/v1beta\/models/)
    await put('gemini.version_settings', '{"default":"v9"}')
    expect((await sent('gemini-2.5-flash')).path).toMatch(/^\/v9\/models/)
    expect((await sent('toString')).path).toMatch(/^\/v9\/models/)
    await put('gemini.version_settings', '{"default":"v1beta"}')
  })

  it('gemini.supported_imagine_models: the models that draw pictures', async () => {
    const modalities = async () => (await sent('gemini-draws')).json.generationConfig?.responseModalities
    expect(await modalities()).toBeUndefined()
    await put('gemini.supported_imagine_models', '["gemini-draws"]')
    expect(await modalities()).toEqual(['TEXT', 'IMAGE'])
    await put('gemini.supported_imagine_models', '[]')
    expect(await modalities()).toBeUndefined()
  })

  it('gemini.thinking_adapter_enabled and its share: the effect of the end of a name', async () => {
    const budget = async () => {
      const { json, path } = await sent('gemini-2.5-flash-thinking', { max_tokens: 10_000 })
      return [/models\/([^:]+):/.exec(path)?.[1], json.generationConfig?.thinkingConfig?.thinkingBudget]
    }
    expect(await budget()).toEqual(['gemini-2.5-flash-thinking', undefined])
    await put('gemini.thinking_adapter_enabled', true)
    expect(await budget()).toEqual(['gemini-2.5-flash', 6000])
    await put('gemini.thinking_adapter_budget_tokens_percentage', 0.25)
    expect(await budget()).toEqual(['gemini-2.5-flash', 2500])
    await put('gemini.thinking_adapter_enabled', false)
    expect(await budget()).toEqual(['gemini-2.5-flash-thinking', undefined])
  })
})

describe('requests to Claude, from the next call on', () => {
  it('claude.thinking_adapter_enabled and its share: the effect of the end of a name', async () => {
    const budget = async () => (await sent('claude-3-7-sonnet-thinking', { max_tokens: 10_000 })).json.thinking
    expect(await budget()).toEqual({ type: 'enabled', budget_tokens: 8000 })
    await put('claude.thinking_adapter_budget_tokens_percentage', 0.5)
    expect(await budget()).toEqual({ type: 'enabled', budget_tokens: 5000 })
    await put('claude.thinking_adapter_enabled', false)
    expect(await budget()).toBeUndefined()
    await put('claude.thinking_adapter_enabled', true)
    await put('claude.thinking_adapter_budget_tokens_percentage', 0.8)
  })

  it('claude.default_max_tokens: the length of an answer where the request sets none', async () => {
    const max = async () => (await sent('claude-3-7-sonnet')).json.max_tokens
    await put('claude.default_max_tokens', '{"default":1234}')
    expect(await max()).toBe(1234)
    await put('claude.default_max_tokens', '{"default":1234,"claude-3-7-*":4321}')
    expect(await max()).toBe(4321)
  })

  it('claude.model_headers_settings: headers in addition to those of every call', async () => {
    const own = async () => (await sent('claude-3-7-sonnet')).headers['x-own']
    expect(await own()).toBeUndefined()
    await put('claude.model_headers_settings', '{"claude-3-7-sonnet":{"x-own":["one"]}}')
    expect(await own()).toBe('one')
    await put('claude.model_headers_settings', '{}')
    expect(await own()).toBeUndefined()
  })
})
