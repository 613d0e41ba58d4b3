import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CancellationSource } from '../../../../gateway/relay/model/cancellation.ts'
import { drawn } from '../../../../gateway/relay/providers/ali-images.ts'
import { type DialTools, gatewayCallDefaults, type Target } from '../../../../gateway/relay/providers/provider.ts'
import { WholeReply } from '../../../../gateway/relay/providers/whole-reply.ts'
import { gatherAnswer } from '../../../../gateway/relay/upstream/gather.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import { storedChannel } from './stored-channel.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: { SelfUseModeEnabled: true },
    config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' },
  })
  await world.channel({ type: 17, models: 'qwen-plus', other: 'plugin-1' })
  await world.channel({ type: 17, models: 'wanx' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const chat = (more = {}) =>
  alice.calls('/v1/chat/completions', { model: 'qwen-plus', messages: [{ role: 'user', content: 'hi' }], ...more })

describe('Alibaba DashScope (docs/reference/channel-types.md#alibaba-dashscope)', () => {
  it('receives the plugin of the channel, and thinks only in streams', async () => {
    const answer = await chat({ enable_thinking: true, vendor: 1 })
    const { path, headers, json } = world.upstream.last()
    expect(path).toBe('/compatible-mode/v1/chat/completions')
    expect(headers).toMatchObject({ authorization: 'Bearer upstream-key', 'x-dashscope-plugin': 'plugin-1' })
    expect(headers['x-dashscope-sse']).toBeUndefined()
    expect(json).toMatchObject({ enable_thinking: false, vendor: 1 })
    expect(answer.headers.get('x-switchyard-dropped')).toBe('enable_thinking')
  })

  it('receives the request for a stream', async () => {
    const { content } = await chat({ stream: true })
    const { headers, json } = world.upstream.last()
    expect([content, headers['x-dashscope-sse'], 'enable_thinking' in json]).toEqual(['Hello there', 'enable', false])
  })

  it.each([
    [1, 0.999],
    [0, 0.001],
    [0.5, 0.5],
    [undefined, undefined],
  ])('makes of top_p %s %s', async (top_p, told) => {
    await chat({ top_p })
    expect(world.upstream.last().json.top_p).toBe(told)
  })
})

const ordered = { output: { task_id: 'task-1', task_status: 'PENDING' }, request_id: 'r' }
const ended = (output: object) => ({ output: { task_id: 'task-1', ...output }, usage: { image_count: 1 } })

describe('images of DashScope, which are ordered and polled', () => {
  const draw = (more = {}) =>
    alice.calls('/v1/images/generations', { model: 'wanx', prompt: 'a cat', n: 1, size: '1024x1024', ...more })
  const answering = (task: object) =>
    world.upstream.answers(({ path }): Script => {
      if (path === '/cat.png') return { body: Buffer.from('cat') }
      return { body: path.startsWith('/api/v1/tasks/') ? task : ordered }
    })
  const succeeded = () => ended({ task_status: 'SUCCEEDED', results: [{ url: `${world.upstream.url}/cat.png` }] })

  it('orders, polls, and returns the address of the image', async () => {
    answering(succeeded())
    const { json } = await draw({ negative_prompt: 'a dog', quality: 'high' })
    expect(json).toEqual({ data: [{ url: `${world.upstream.url}/cat.png` }] })
    const [order, task] = world.upstream.requests
    expect(order).toMatchObject({
      path: '/api/v1/services/aigc/text2image/image-synthesis',
      headers: { authorization: 'Bearer upstream-key', 'x-dashscope-async': 'enable' },
      json: {
        model: 'wanx',
        input: { prompt: 'a cat', negative_prompt: 'a dog' },
        parameters: { size: '1024*1024', n: 1 },
      },
    })
    expect(task).toMatchObject({
      method: 'GET',
      path: '/api/v1/tasks/task-1',
      headers: { authorization: 'Bearer upstream-key' },
    })
    const row = await lastReceipt(world, alice.id)
    expect(row.quota).toBe(recomputed(row))
  })

  it('fetches the image for a caller who requested its bytes, without showing the key', async () => {
    answering(succeeded())
    const { json } = await draw({ response_format: 'b64_json' })
    expect(json).toEqual({ data: [{ b64_json: Buffer.from('cat').toString('base64') }] })
    expect(world.upstream.last()).toMatchObject({ path: '/cat.png' })
    expect(world.upstream.last().headers.authorization).toBeUndefined()
  })

  it.each([
    [{ task_status: 'FAILED', code: 'DataInspectionFailed', message: 'not that' }, 400, 'not that'],
    [{ task_status: 'FAILED', code: 'InternalError', message: 'it broke' }, 502, 'it broke'],
    [{ task_status: 'UNKNOWN' }, 502, 'UNKNOWN'],
  ])('reports that a task ended as %o, and charges nothing', async (output, status, message) => {
    answering(ended(output))
    const { status: got, json } = await draw()
    expect([got, json.error.message]).toEqual([status, expect.stringContaining(message)])
    expect((await lastReceipt(world, alice.id)).quota).toBe(0)
  })

  it("passes the vendor's refusal of an order", async () => {
    world.upstream.answers({
      status: 400,
      body: { code: 'InvalidParameter', message: 'no such size', request_id: 'r' },
    })
    const { status, json } = await draw()
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('no such size')])
    expect(world.upstream.requests).toHaveLength(1)
  })
})

describe('waiting for a task', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const channel = storedChannel({ type: 17, key: 'k' })
  const target: Target = { ...gatewayCallDefaults, channel, model: 'wanx', endpoint: 'images', stream: false }
  const sent = { url: new URL('https://a.test/order'), bytes: Buffer.alloc(0), headers: {} }

  /** A vendor whose task is still running for this many polls. */
  function vendor(readyAfter: number, cancellation = new CancellationSource()) {
    let questions = 0
    const task = () => ({ task_status: questions > readyAfter ? 'SUCCEEDED' : 'RUNNING', results: [] })
    const tools: DialTools = {
      cancellation,
      now: () => 0,
      idleMs: 1000,
      request: async () => new WholeReply(200, ordered),
      requestJson: async () => {
        questions += 1
        return ended(task())
      },
      fetchFiles: () => Promise.reject(new Error('no files here')),
      accepted: () => {},
      openSocket: () => Promise.reject(new Error('no sockets here')),
    }
    return { tools, questions: () => questions }
  }

  it('polls every three seconds', async () => {
    const { tools, questions } = vendor(2)
    const answer = drawn(target, sent, tools)
    await vi.advanceTimersByTimeAsync(2999)
    expect(questions()).toBe(1)
    await vi.advanceTimersByTimeAsync(3001)
    expect([(await answer).status, questions()]).toEqual([200, 3])
  })

  it('gives up after twenty questions', async () => {
    const { tools, questions } = vendor(99)
    const answer = drawn(target, sent, tools)
    await vi.advanceTimersByTimeAsync(60_000)
    const reply = await answer
    expect([reply.status, reply.isBilled, questions()]).toEqual([504, true, 20])
    expect((await gatherAnswer(reply)).toString()).toContain('not generated in time')
  })

  it('polls again after a poll that failed, or that had no status', async () => {
    const { tools } = vendor(0)
    const polls = [() => Promise.reject(new Error('503')), async () => ({ output: {} }), tools.requestJson]
    let questions = 0
    const requestJson: DialTools['requestJson'] = (...call) => (polls[questions++] ?? expect.fail())(...call)
    const answer = drawn(target, sent, { ...tools, requestJson })
    await vi.advanceTimersByTimeAsync(6000)
    expect([(await answer).status, questions]).toEqual([200, 3])
  })

  it('returns the addresses of images that cannot be fetched', async () => {
    const { tools } = vendor(0)
    const original = { response_format: 'b64_json' }
    const reply = await drawn(target, { ...sent, original }, tools)
    expect([reply.status, (await gatherAnswer(reply)).toString()]).toEqual([200, expect.stringContaining('SUCCEEDED')])
  })

  it('stops at the end of the call, which the vendor bills', async () => {
    const cancellation = new CancellationSource()
    const { tools, questions } = vendor(99, cancellation)
    const answer = drawn(target, sent, tools)
    await vi.advanceTimersByTimeAsync(1000)
    cancellation.end()
    expect([(await answer).isBilled, questions()]).toEqual([true, 1])
  })
})
