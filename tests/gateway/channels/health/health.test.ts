import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import type { ChannelEvent } from '../../../../gateway/channels/health/event-text.ts'
import { createHealth, isDisabling } from '../../../../gateway/channels/health/health.ts'
import { failureIn } from '../../../../gateway/channels/health/upstream-failure.ts'
import { createFailureWindow } from '../../../../gateway/shared-state/failure-window.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { clock, dialects, NOW, type Opened, openEmpty, settingsWith, workshop } from '../workshop.ts'

const calm = { status: 400, code: '', type: '', message: '' }
const keywords = ['your credit balance is too low']

describe('a fatal failure', () => {
  it.each([
    ['401', { status: 401 }, 1, true],
    ['403', { status: 403 }, 1, false],
    ['403 of Gemini', { status: 403 }, 24, true],
    ['429', { status: 429 }, 1, false],
    ['500', { status: 500 }, 1, false],
    ['503', { status: 503, message: 'overloaded' }, 1, false],
    ['code invalid_api_key', { code: 'invalid_api_key' }, 1, true],
    ['code account_deactivated', { code: 'account_deactivated' }, 1, true],
    ['code billing_not_active', { code: 'billing_not_active' }, 1, true],
    ['code pre_consume_token_quota_failed', { code: 'pre_consume_token_quota_failed' }, 1, true],
    ['code model_not_found', { code: 'model_not_found' }, 1, false],
    ['type insufficient_quota on 429', { status: 429, type: 'insufficient_quota' }, 1, true],
    ['type insufficient_user_quota', { type: 'insufficient_user_quota' }, 1, true],
    ['type authentication_error', { type: 'authentication_error' }, 1, true],
    ['type permission_error', { type: 'permission_error' }, 1, true],
    ['type forbidden', { type: 'forbidden' }, 1, true],
    ['type invalid_request_error', { type: 'invalid_request_error' }, 1, false],
    ['a keyword in any case', { status: 402, message: 'Sorry: YOUR credit BALANCE is too low.' }, 1, true],
    ['a keyword on 403', { status: 403, message: 'your credit balance is too low' }, 1, true],
    ['a keyword on 429', { status: 429, message: 'your credit balance is too low' }, 1, true],
    ['a keyword on 400', { message: 'your credit balance is too low' }, 1, false],
    ['a keyword on 404', { status: 404, message: 'your credit balance is too low' }, 14, false],
    ['a keyword on 500', { status: 500, message: 'your credit balance is too low' }, 1, false],
    ['a keyword on 400 of Anthropic', { message: 'your credit balance is too low' }, 14, true],
    ['other words', { status: 402, message: 'your credit is fine' }, 1, false],
  ])('%s', (_name, failure, channelType, fatal) => {
    expect(isDisabling({ ...calm, ...failure }, channelType, keywords)).toBe(fatal)
  })
})

describe('the error of an upstream', () => {
  it.each([
    ['OpenAI', 401, { error: { message: 'bad', type: 't', code: 'c' } }, { code: 'c', type: 't', message: 'bad' }],
    ['a text', 500, { error: 'broken' }, { code: '', type: '', message: 'broken' }],
    ['a flat body', 400, { code: 7, message: 'flat', type: 'x' }, { code: '7', type: 'x', message: 'flat' }],
    ['detail', 422, { detail: 'missing' }, { message: 'missing' }],
    [
      'an error on 200',
      200,
      { error: { message: 'hidden', type: 'forbidden' } },
      { type: 'forbidden', message: 'hidden' },
    ],
    ['no JSON', 502, undefined, { code: '', message: 'raw' }],
  ])('is read from %s', (_name, status, json, expected) => {
    expect(failureIn({ status, json, text: 'raw' })).toMatchObject({ status, ...expected })
  })

  it('is nothing where it answered properly', () => {
    expect(failureIn({ status: 200, json: { choices: [] }, text: '' })).toBeUndefined()
    expect(failureIn({ status: 201, json: { error: null }, text: '' })).toBeUndefined()
  })
})

describe.each(dialects)('health on %s', (kind) => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  let news: ChannelEvent[]
  const on = { AutomaticDisableChannelEnabled: 'true' }
  const health = async (values: Record<string, string> = on) => {
    const notify = (one: ChannelEvent) => news.push(one)
    const settings = await settingsWith(values)
    return createHealth({
      db: opened.db,
      registry: parts.registry,
      failures: createFailureWindow(clock),
      clock,
      settings,
      log: silentLogger,
      notify,
    })
  }
  const channel = async () => parts.registry.channel((await channelStore(opened.db).all())[0]!.id)!

  beforeAll(async () => {
    opened = await openEmpty(kind)
    parts = workshop(opened.db)
  })
  beforeEach(async () => {
    news = []
    await parts.clear()
    await parts.editor.create({ type: 1, name: 'one', key: 'sk-secret-key', models: 'm', group: 'default' })
  })
  afterAll(() => opened.close())

  it('disables once, notifies once, and stops routing', async () => {
    const { report } = await health()
    const one = await channel()
    const failure = { ...calm, status: 401, message: 'Incorrect API key: sk-secret-key' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(one, failure)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    const [row] = await channelStore(opened.db).all()
    expect(row).toMatchObject({ status: 3 })
    expect(JSON.parse(row!.other_info)).toEqual({
      status_reason: 'status code 401: Incorrect API key: ***',
      status_time: NOW,
    })
    expect(parts.registry.tiers('default', 'm')).toEqual([])
    expect(news).toEqual([expect.objectContaining({ kind: 'disabled', name: 'one', channelId: row!.id })])
  })

  it('enables only channels that the system has disabled', async () => {
    const { disable, enable } = await health()
    const { id } = await channel()
    expect(await enable(id)).toBe(false)
    await disable(id, 'slow')
    expect(await enable(id)).toBe(true)
    expect((await channelStore(opened.db).all())[0]).toMatchObject({ status: 1, other_info: '' })
    expect(parts.registry.tiers('default', 'm')).toHaveLength(1)
    await parts.editor.update({ id, status: 2 })
    expect(await enable(id)).toBe(false)
    expect(await disable(id, 'x')).toBe(false)
    expect(await disable(999_999, 'x')).toBe(false)
    expect(news.map(({ kind: what }) => what)).toEqual(['disabled', 'enabled'])
  })

  it('ignores channels that opt out, and all while the option is off', async () => {
    const failure = { ...calm, status: 401 }
    expect(await (await health({})).report(await channel(), failure)).toBe(false)
    await parts.editor.update({ id: (await channel()).id, auto_ban: 0 })
    expect(await (await health()).report(await channel(), failure)).toBe(false)
    expect((await channel()).status).toBe(1)
  })

  it('disables only after the configured number of failures within the configured minutes', async () => {
    let now = 0
    const moving = { now: clock.now, monotonic: () => now }
    const settings = await settingsWith({
      ...on,
      'monitor_setting.disable_after_failures': '3',
      'monitor_setting.disable_within_minutes': '5',
    })
    const { registry } = parts
    const { report } = createHealth({
      db: opened.db,
      registry,
      failures: createFailureWindow(moving),
      clock: moving,
      settings,
      log: silentLogger,
    })
    const one = await channel()
    const failure = { ...calm, status: 401 }
    expect(await report(one, failure)).toBe(false)
    now += 4 * 60_000
    expect(await report(one, { ...calm, status: 500 })).toBe(false)
    expect(await report(one, failure)).toBe(false)
    now += 2 * 60_000
    expect(await report(one, failure)).toBe(false)
    expect(await report(one, failure)).toBe(true)
    expect((await channel()).status).toBe(3)
  })

  it('does not blame a channel for failures of its former key', async () => {
    const { report } = await health()
    const before = await channel()
    await parts.editor.update({ id: before.id, key: 'sk-a-new-key' })
    expect(await report(before, { ...calm, status: 401 })).toBe(false)
    expect((await channel()).status).toBe(1)
  })

  it('counts the keys of the moment before it takes a channel of several away', async () => {
    await parts.editor.create({ type: 1, name: 'pool', key: 'k1\nk2', key_mode: 'pool', models: 'm', group: 'default' })
    const { report } = await health()
    const id = (await channelStore(opened.db).all()).at(-1)!.id
    const [first, second] = parts.registry.channel(id)!.pool
    expect(await report(first!.channel, { ...calm, status: 401 })).toBe(true)
    await parts.editor.update({ id, key: 'k1\nk2\nk3' })
    expect(await report(second!.channel, { ...calm, status: 401 })).toBe(true)
    expect(parts.registry.channel(id)).toMatchObject({ status: 1, key: 'k3' })
    await parts.editor.update({ id, key: 'k3\nk4' })
    expect(await report(second!.channel, { ...calm, status: 401 })).toBe(false)
  })

  it('names the models that have lost their last channel', async () => {
    await parts.editor.create({ type: 1, name: 'two', key: 'k', models: 'm,only', group: 'default' })
    const { disable } = await health()
    const rows = await channelStore(opened.db).all()
    await disable(rows[0]!.id, 'x')
    await disable(rows[1]!.id, 'x')
    expect(news).toMatchObject([{ lastFor: [] }, { lastFor: ['m', 'only'] }])
  })

  it('reads the keywords of the moment', async () => {
    const { shouldDisable } = await health({ ...on, AutomaticDisableKeywords: 'No Credit\n\n  gone ' })
    const one = await channel()
    const unpaid = { ...calm, status: 402 }
    expect(shouldDisable(one, { ...unpaid, message: 'you have NO CREDIT' })).toBe(true)
    expect(shouldDisable(one, { ...unpaid, message: 'begone' })).toBe(true)
    expect(shouldDisable(one, { ...unpaid, message: 'Your credit balance is too low' })).toBe(false)
  })
})
