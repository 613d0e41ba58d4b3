import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refuse } from '../../../../gateway/base/errors.ts'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import type { ChannelEvent } from '../../../../gateway/channels/health/event-text.ts'
import { createHealth } from '../../../../gateway/channels/health/health.ts'
import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { keyIdOf } from '../../../../gateway/channels/registry/keys.ts'
import type { Probe, ProbeCall } from '../../../../gateway/channels/testing/probe.ts'
import { createRuns, type Pause } from '../../../../gateway/channels/testing/runs.ts'
import { createChannelTest, type TestInitiator } from '../../../../gateway/channels/testing/test.ts'
import { createKeyCheck } from '../../../../gateway/channels/testing/test-call.ts'
import { testRequest } from '../../../../gateway/channels/testing/test-request.ts'
import { createFailureWindow } from '../../../../gateway/shared-state/failure-window.ts'
import { channelKeyStore } from '../../../../gateway/store/channels/channel-keys.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import type { NewLog } from '../../../../gateway/store/schema/schema.ts'
import { clock, NOW, type Opened, openEmpty, settingsWith, upstream, workshop } from '../workshop.ts'

const tester: TestInitiator = { id: 7, username: 'ada', group: 'vip', ip: '127.0.0.1', locale: 'en' }
const ranking = { query: 'hi', documents: ['hello world', 'goodbye'], top_n: 2 }
const drawing = { prompt: 'a cute cat', n: 1, size: '1024x1024' }
const chat = { messages: [{ role: 'user', content: 'hi' }], stream: false }

describe('the test request', () => {
  it.each([
    [1, 'gpt-4o', 'chat', { ...chat, max_tokens: 10 }, 30],
    [1, 'o3-mini', 'chat', { ...chat, max_completion_tokens: 10 }, 60],
    [1, 'gpt-5-mini', 'chat', { ...chat, max_completion_tokens: 10 }, 60],
    [1, 'openai/gpt-oss', 'chat', { ...chat, max_tokens: 10 }, 30],
    [14, 'claude-sonnet-4-thinking', 'chat', chat, 60],
    [43, 'qwen-thinking', 'chat', { ...chat, max_tokens: 50 }, 60],
    [24, 'gemini-2.5-flash', 'chat', { ...chat, max_tokens: 300 }, 30],
    [1, 'text-embedding-3-small', 'embeddings', { input: ['hello world'] }, 30],
    [1, 'bge-large-zh', 'embeddings', { input: ['hello world'] }, 30],
    [1, 'm3e-base', 'embeddings', { input: ['hello world'] }, 30],
    [44, 'anything', 'embeddings', { input: ['hello world'] }, 30],
    [44, 'whisper-1', 'embeddings', { input: ['hello world'] }, 30],
    [1, 'gpt-3.5-turbo-instruct', 'completions', { prompt: 'hi', max_tokens: 10 }, 30],
    [1, 'o1-pro', 'responses', { input: 'hi', max_output_tokens: 16 }, 60],
    [1, 'gpt-5-codex', 'responses', { input: 'hi', max_output_tokens: 16 }, 60],
    [1, 'o4-mini-deep-research', 'responses', { input: 'hi', max_output_tokens: 16 }, 60],
    [38, 'jina-reranker-v2', 'rerank', ranking, 30],
    [1, 'bge-reranker-v2-m3', 'rerank', ranking, 30],
    [1, 'dall-e-3', 'images', drawing, 30],
    [1, 'gpt-image-1', 'images', drawing, 30],
    [24, 'imagen-4.0', 'images', drawing, 30],
    [40, 'black-forest-labs/FLUX.1-dev', 'images', drawing, 30],
    [24, 'gemini-2.5-flash-image', 'chat', { ...chat, max_tokens: 300 }, 30],
  ])('of type %i for %s goes to %s', (type, model, endpoint, body, seconds) => {
    expect(testRequest(type, model)).toEqual({ endpoint, model, body: { model, ...body }, timeoutMs: seconds * 1000 })
  })

  it.each([
    'tts-1',
    'whisper-1',
    'gpt-4o-transcribe',
    'gpt-4o-realtime-preview',
    'gpt-4o-audio-preview',
    'omni-moderation-latest',
    'sora-2',
    'mj_imagine',
    'suno_music',
  ])('does not exist for %s', (model) => expect(testRequest(1, model)).toBeUndefined())
})

describe('testing channels', () => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  let server: Awaited<ReturnType<typeof upstream>>
  let asked: ProbeCall[]
  let notes: NewLog[]
  let news: ChannelEvent[]
  let pauses: number[]
  let inFlight = 0
  let mostInFlight = 0

  /** A probe like the relay's, over fetch: the channel's address selects the outcome. */
  const probe: Probe = async (channel, ask) => {
    asked.push(ask)
    inFlight += 1
    mostInFlight = Math.max(mostInFlight, inFlight)
    const started = performance.now()
    try {
      const signal = AbortSignal.timeout(channel.baseUrl.endsWith('/stuck') ? 500 : ask.timeoutMs)
      const answer = await fetch(channel.baseUrl, { method: 'POST', body: JSON.stringify(ask.body), signal })
      const text = await answer.text()
      const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
      const usage = { promptTokens: 3, completionTokens: 4 }
      return { status: answer.status, json, text, ms: performance.now() - started, usage }
    } finally {
      inFlight -= 1
    }
  }
  const noting: Pause = async (ms) => void pauses.push(ms)
  const bench = async (values: Record<string, string> = {}, other: Probe = probe, pause: Pause = noting) => {
    const settings = await settingsWith(values)
    const shared = {
      db: opened.db,
      registry: parts.registry,
      settings,
      clock,
      log: silentLogger,
      notify: (one: ChannelEvent) => news.push(one),
    }
    const health = createHealth({ ...shared, failures: createFailureWindow(clock) })
    const runs = createRuns({ ...shared, pauseSeconds: 7, pause })
    const test = createChannelTest({
      ...shared,
      health,
      runs,
      probe: other,
      auditLog: { record: (row) => notes.push(row) },
    })
    return { ...test, runs }
  }
  const make = (path: string, fields: object = {}) =>
    parts.editor.create({
      type: 1,
      name: path,
      key: 'sk',
      models: 'gpt-4o',
      group: 'default',
      base_url: server.base + path,
      ...fields,
    })
  const named = async (name: string) => (await channelStore(opened.db).all()).find((row) => row.name === name)!
  const statuses = async () =>
    Object.fromEntries((await channelStore(opened.db).all()).map(({ name, status }) => [name, status]))

  beforeAll(async () => {
    opened = await openEmpty('SQLite')
    parts = workshop(opened.db)
    server = await upstream({
      '/good': { body: { choices: [] } },
      '/slow': { body: { choices: [] }, delayMs: 150 },
      '/stuck': { body: {}, delayMs: 2_000 },
      '/denied': { status: 401, body: { error: { message: 'wrong key' } } },
      '/busy': { status: 429, body: { error: { message: 'slow down' } } },
      '/hidden': { body: { error: { message: 'no', type: 'insufficient_quota' } } },
      '/page': { body: '<html>' },
    })
  })
  beforeEach(async () => {
    asked = []
    notes = []
    news = []
    pauses = []
    mostInFlight = 0
    await parts.clear()
  })
  afterAll(async () => {
    await server.close()
    await opened.close()
  })

  it('stores the result of a test, without the key, and replaces it with the next (docs/reference/channels.md#tests)', async () => {
    await make('/denied')
    const { id } = await named('/denied')
    await (await bench()).one(id, '', tester)
    expect(await named('/denied')).toMatchObject({ test_code: 'bad_key', test_status: 401, test_message: 'wrong key' })
    await parts.editor.update({ id, base_url: `${server.base}/page` })
    await (await bench()).one(id, '', tester)
    expect(await named('/denied')).toMatchObject({ test_code: 'bad_path', test_status: 0, test_message: '' })
    await parts.editor.update({ id, base_url: `${server.base}/good` })
    await (await bench()).one(id, '', tester)
    expect(await named('/denied')).toMatchObject({ test_code: 'ok', test_status: 0 })
  })

  it('stores the time and writes an uncharged row for the caller', async () => {
    await make('/good')
    const { id } = await named('/good')
    const result = await (await bench()).one(id, '', tester)
    expect(result).toMatchObject({ ok: true, message: '' })
    expect(await named('/good')).toMatchObject({
      test_time: NOW,
      response_time: Math.max(1, Math.round(result.seconds * 1000)),
      test_code: 'ok',
      test_status: 0,
      test_message: '',
    })
    expect(notes).toEqual([
      expect.objectContaining({
        user_id: 7,
        username: 'ada',
        type: 2,
        token_name: 'model test',
        model_name: 'gpt-4o',
        quota: 0,
        prompt_tokens: 3,
        completion_tokens: 4,
        channel_id: id,
      }),
    ])
  })

  it('tests the named model, else the test model, else the first that can be tested, images last', async () => {
    await make('/good', { models: 'dall-e-3,o3-mini', test_model: 'gpt-4', model_mapping: '{"gpt-4":"vendor-4"}' })
    const { id } = await named('/good')
    const { one } = await bench()
    await one(id, 'm3e-base', tester)
    await one(id, '', tester)
    await parts.editor.update({ id, test_model: '' })
    await one(id, '', tester)
    await parts.editor.update({ id, models: 'dall-e-3' })
    await one(id, '', tester)
    expect(asked.map(({ model, endpoint }) => [model, endpoint])).toEqual([
      ['m3e-base', 'embeddings'],
      ['vendor-4', 'chat'],
      ['o3-mini', 'chat'],
      ['dall-e-3', 'images'],
    ])
    expect(notes[0]).toMatchObject({ model_name: 'gpt-4' })
  })

  it.each([
    ['/denied', 'status code 401: wrong key'],
    ['/busy', 'status code 429: slow down'],
    ['/hidden', 'status code 200: no'],
    ['/page', 'The upstream service sent a response that could not be read.'],
    ['/stuck', 'The upstream service did not respond in time. Try again later.'],
  ])('reports the failure at %s, logs nothing, and changes no status', async (path, message) => {
    await make(path)
    const { id } = await named(path)
    const { one } = await bench({ AutomaticDisableChannelEnabled: 'true' })
    expect(await one(id, '', tester)).toMatchObject({ ok: false, message })
    expect(notes).toEqual([])
    expect(await named(path)).toMatchObject({ status: 1, test_time: NOW })
    expect((await named(path)).response_time).toBeGreaterThan(0)
  })

  it('uses the language of the caller and reveals nothing of the network', async () => {
    await make('/good', { base_url: 'http://127.0.0.1:1' })
    const { one } = await bench()
    const { id } = await named('/good')
    const { message } = await one(id, '', { ...tester, locale: 'zh' })
    expect(message).toMatch(/[\u4e00-\u9fff]/)
    expect(message).not.toContain('127.0.0.1')
  })

  it.each([2, 5, 36])('refuses type %i', async (type) => {
    await make('/good', { type })
    const { one } = await bench()
    await expect(one((await named('/good')).id, '', tester)).rejects.toMatchObject({ key: 'channel.test_unsupported' })
    expect(asked).toEqual([])
  })

  it('passes on a refusal of the wire, and refuses unknown channels and models that cannot be tested', async () => {
    await make('/good')
    const { id } = await named('/good')
    const unsupported: Probe = async () => {
      throw refuse('invalid', 'channel.test_unsupported')
    }
    const refused = { key: 'channel.test_unsupported' }
    await expect((await bench({}, unsupported)).one(id, '', tester)).rejects.toMatchObject(refused)
    await expect((await bench()).one(id, 'whisper-1', tester)).rejects.toMatchObject({
      key: 'channel.model_untestable',
    })
    await expect((await bench()).one(999_999, '', tester)).rejects.toMatchObject({ key: 'channel.not_found' })
    expect((await named('/good')).test_time).toBe(0)
  })

  it('disables fatal channels, leaves busy ones, enables those that work again, skips those that people disabled', async () => {
    await make('/good')
    await make('/denied')
    await make('/busy')
    await make('/hidden', { auto_ban: 0 })
    await make('/good', { name: 'revived' })
    await make('/denied', { name: 'still off' })
    await make('/good', { name: 'by hand' })
    for (const name of ['revived', 'still off'])
      await channelStore(opened.db).update([(await named(name)).id], { status: 3 })
    await parts.registry.reload()
    await parts.editor.update({ id: (await named('by hand')).id, status: 2 })
    const on = { AutomaticDisableChannelEnabled: 'true', AutomaticEnableChannelEnabled: 'true' }
    const { all, idle } = await bench(on)
    all(tester)
    await idle()
    expect(await statuses()).toEqual({
      '/good': 1,
      '/denied': 3,
      '/busy': 1,
      '/hidden': 1,
      revived: 1,
      'still off': 3,
      'by hand': 2,
    })
    expect((await named('by hand')).test_time).toBe(0)
    expect(news.map(({ kind }) => kind).sort()).toEqual(['disabled', 'enabled', 'tested'])
    expect(news.at(-1)).toMatchObject({ kind: 'tested', run: { kind: 'test', state: 'done', total: 6 } })
    expect(parts.registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(4)
  })

  it('reports the channels it has tested, and no others', async () => {
    await make('/good')
    await make('/denied')
    await make('/good', { name: 'speaker', models: 'tts-1' })
    await make('/good', { name: 'painter', type: 2 })
    const { all, idle, runs } = await bench({ AutomaticDisableChannelEnabled: 'true' })
    all(tester)
    expect(runs.list()).toMatchObject([{ kind: 'test', state: 'running', total: 0, ended_at: 0 }])
    await idle()
    const about = { balance: null, seconds: expect.any(Number) }
    const [run] = runs.list()
    expect(run).toMatchObject({ kind: 'test', state: 'done', total: 2, started_at: NOW, ended_at: NOW })
    expect(run?.items).toHaveLength(2)
    expect(run?.items).toEqual(
      expect.arrayContaining([
        { ...about, channel_id: (await named('/good')).id, name: '/good', ok: true, message: '', switched: '' },
        {
          ...about,
          channel_id: (await named('/denied')).id,
          name: '/denied',
          ok: false,
          message: 'status code 401: wrong key',
          switched: 'off',
        },
      ]),
    )
  })

  it('waits between two starts, however many are running', async () => {
    await make('/good', { key: 'a\nb\nc' })
    const { all, idle } = await bench()
    all(tester)
    await idle()
    expect(pauses).toEqual([7000, 7000])
  })

  it('leaves out channels that have been disabled by hand or deleted in the meantime', async () => {
    await make('/good', { key: 'a\nb\nc' })
    const [first, second, third] = (await channelStore(opened.db).all()).map(({ id }) => id)
    const meddling: Probe = async (channel, ask) => {
      if (channel.id === first) {
        await parts.editor.update({ id: second!, status: 2 })
        await parts.editor.remove(third!)
      }
      return probe(channel, ask)
    }
    const patient: Pause = async () => {
      while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const { all, idle, runs } = await bench({}, meddling, patient)
    all(tester)
    await idle()
    expect(runs.list()).toMatchObject([{ state: 'done', total: 1, items: [{ channel_id: first }] }])
  })

  it('does not take a broken connection for a slow answer', async () => {
    await make('/good', { base_url: 'http://127.0.0.1:1' })
    const late: Probe = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      throw new Error('reset')
    }
    const on = { AutomaticDisableChannelEnabled: 'true', ChannelDisableThreshold: '0.05' }
    const { all, idle } = await bench(on, late)
    all(tester)
    await idle()
    expect(await statuses()).toEqual({ '/good': 1 })
  })

  it('enables channels that the system has disabled, and changes nothing else', async () => {
    for (const name of ['back', 'unbanned', 'on', 'by hand']) await make('/good', { name })
    await make('/denied', { name: 'still off' })
    const off = async (name: string) => channelStore(opened.db).update([(await named(name)).id], { status: 3 })
    for (const name of ['back', 'unbanned', 'still off']) await off(name)
    await parts.registry.reload()
    await parts.editor.update({ id: (await named('unbanned')).id, auto_ban: 0 })
    await parts.editor.update({ id: (await named('by hand')).id, status: 2 })
    await (await bench()).recover(tester)
    expect(asked).toEqual([])
    const { recover, runs } = await bench({ AutomaticEnableChannelEnabled: 'true' })
    await recover(tester)
    expect(asked).toHaveLength(2)
    expect(await statuses()).toEqual({ back: 1, unbanned: 3, on: 1, 'by hand': 2, 'still off': 3 })
    expect(news.map(({ kind }) => kind)).toEqual(['enabled'])
    expect(runs.list()).toEqual([])
  })

  it('recovers single keys that the system has switched off, where they work again', async () => {
    await make('/good', { name: 'several', key: 'first\nsecond\nthird', key_mode: 'pool' })
    const { id } = await named('several')
    const keys = channelKeyStore(opened.db)
    const off = { channel_id: id, reason: '', status_time: NOW }
    await keys.put({ ...off, key_id: keyIdOf('second'), status: 3 })
    await keys.put({ ...off, key_id: keyIdOf('third'), status: 2 })
    await parts.registry.reload()
    const { recover } = await bench({ AutomaticEnableChannelEnabled: 'true' })
    await recover(tester)
    expect(asked).toHaveLength(1)
    expect(parts.registry.channel(id)?.pool.map(({ status }) => status)).toEqual([1, 1, 2])
  })

  it('recovers nothing while all are being tested', async () => {
    await make('/slow')
    await channelStore(opened.db).update([(await named('/slow')).id], { status: 3 })
    await parts.registry.reload()
    const { all, idle, recover } = await bench({ AutomaticEnableChannelEnabled: 'true' })
    all(tester)
    await recover(tester)
    await idle()
    expect(asked).toHaveLength(1)
  })

  it('recovers four at once, and ends early when it is stopped', async () => {
    await make('/slow', { key: 'a\nb\nc\nd\ne\nf\ng' })
    const ids = (await channelStore(opened.db).all()).map(({ id }) => id)
    await channelStore(opened.db).update(ids, { status: 3 })
    await parts.registry.reload()
    const stopping = new AbortController()
    const stopped: Probe = (channel, ask) => {
      if (asked.length === 3) stopping.abort()
      return probe(channel, ask)
    }
    const { recover } = await bench({ AutomaticEnableChannelEnabled: 'true', ChannelDisableThreshold: '0' }, stopped)
    await recover(tester, stopping.signal)
    expect([asked.length, mostInFlight]).toEqual([4, 4])
  })

  it('changes nothing while the options are off', async () => {
    await make('/denied')
    await make('/slow')
    const { all, idle } = await bench({ ChannelDisableThreshold: '0.05' })
    all(tester)
    await idle()
    expect(await statuses()).toEqual({ '/denied': 1, '/slow': 1 })
  })

  it('disables the slow, unless there is no limit', async () => {
    await make('/slow')
    const on = { AutomaticDisableChannelEnabled: 'true' }
    const free = await bench({ ...on, ChannelDisableThreshold: '0' })
    free.all(tester)
    await free.idle()
    expect(await statuses()).toEqual({ '/slow': 1 })
    const strict = await bench({ ...on, ChannelDisableThreshold: '0.05' })
    strict.all(tester)
    await strict.idle()
    expect(await statuses()).toEqual({ '/slow': 3 })
    expect((await named('/slow')).other_info).toMatch(/limit is 0.05 s/)
  })

  it('runs once at a time, four channels at once, and is free again afterwards', async () => {
    await make('/slow', { key: 'a\nb\nc\nd\ne\nf\ng' })
    const { all, idle } = await bench()
    all(tester)
    expect(() => all(tester)).toThrow(expect.objectContaining({ key: 'channel.test_running' }))
    await idle()
    expect(mostInFlight).toBe(4)
    expect(asked).toHaveLength(7)
    all(tester)
    await idle()
    expect(asked).toHaveLength(14)
  })

  it('is free again when the list cannot be read', async () => {
    const broken = await openEmpty('SQLite')
    const shop = workshop(broken.db)
    const shared = { db: broken.db, registry: shop.registry, settings: await settingsWith(), clock, log: silentLogger }
    const runs = createRuns(shared)
    const { all, idle } = createChannelTest({
      ...shared,
      runs,
      health: createHealth({ ...shared, failures: createFailureWindow(clock) }),
      probe,
      auditLog: { record() {} },
    })
    await broken.close()
    all(tester)
    await idle()
    expect(runs.list()).toMatchObject([{ state: 'failed', total: 0, items: [] }])
    all(tester)
    await idle()
  })
})

it('the check of a key fails where its channel has no test request', async () => {
  const probe: Probe = () => Promise.reject(refuse('invalid', 'channel.test_unsupported'))
  const channel = { type: 1, models: ['gpt-4o'], testModel: '', modelMapping: {} } as unknown as ActiveChannel // only what is read
  expect(await createKeyCheck({ probe, clock })(channel)).toBe(false)
})
