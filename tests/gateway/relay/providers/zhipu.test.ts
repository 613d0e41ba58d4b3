import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signedToken } from '../../../../gateway/relay/providers/zhipu/provider.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }
const data = { request_id: 'r', task_id: 't', task_status: 'SUCCESS', usage }
const answer = (content: string) => ({
  code: 200,
  msg: 'fine',
  success: true,
  data: { ...data, choices: [{ role: 'assistant', content }] },
})

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 16, key: 'the-id.the-secret', models: 'chatglm_pro' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

/** An event in the vendor's own spelling. */
const event = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n\n`)
const meta = JSON.stringify({ request_id: 'r', task_id: 't', task_status: 'SUCCESS', usage })

describe('Zhipu ChatGLM, third interface (docs/reference/channel-types.md#zhipu-chatglm-third-interface)', () => {
  it('authenticates with a signed token, valid for a day, cached for all calls', async () => {
    world.upstream.answers({ body: answer('hi') })
    await alice.asks('chatglm_pro', 'hi')
    await alice.asks('chatglm_pro', 'hi')
    const tokens = world.upstream.requests.map(({ headers }) => headers.authorization ?? '')
    expect(new Set(tokens).size).toBe(1)
    const [header = '', claims = '', signature] = (tokens[0] ?? '').split('.')
    expect(read(header)).toEqual({ alg: 'HS256', sign_type: 'SIGN' })
    const { api_key, exp, timestamp } = read(claims)
    expect([api_key, exp - timestamp]).toEqual(['the-id', 24 * 3600 * 1000])
    expect(signature).toBe(createHmac('sha256', 'the-secret').update(`${header}.${claims}`).digest('base64url'))
  })

  it('signs as in RFC 7515: the same token for the same time', async () => {
    const token = await signedToken('id.secret', 1_700_000_000_000)
    expect(token.split('.').slice(0, 2).map(read)).toEqual([
      { alg: 'HS256', sign_type: 'SIGN' },
      { api_key: 'id', exp: 1_700_086_400_000, timestamp: 1_700_000_000_000 },
    ])
    expect(await signedToken('id.secret', 1_700_000_000_000)).toBe(token)
  })

  it('receives its own format, and answers in quotes', async () => {
    world.upstream.answers({ body: answer('" Hello\\nthere"') })
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'chatglm_pro',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
      ],
      temperature: 0.2,
      top_p: 1,
      max_tokens: 5,
    })
    expect(world.upstream.last()).toMatchObject({ path: '/api/paas/v3/model-api/chatglm_pro/invoke' })
    expect(world.upstream.last().json).toEqual({
      prompt: [
        { role: 'user', content: 'Be brief.' },
        { role: 'assistant', content: 'Okay' },
        { role: 'user', content: 'Hello?' },
      ],
      temperature: 0.2,
      top_p: 0.99,
    })
    expect(headers.get('x-switchyard-dropped')).toBe('max_completion_tokens')
    expect(json).toMatchObject({
      choices: [{ message: { content: ' Hello\nthere' }, finish_reason: 'stop' }],
      usage,
    })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 9, completion_tokens: 5, quota: recomputed(receipt) })
    expect(receipt.other.usage_source).toBe('upstream')
  })

  it.each([
    ['with spaces after its colons', ' '],
    ['without', ''],
  ])('streams bare text %s', async (_, gap) => {
    const add = (...texts: string[]) =>
      event(`event:${gap}add`, `id:${gap}1`, ...texts.map((text) => `data:${gap}${text}`))
    const finish = event(`event:${gap}finish`, `id:${gap}1`, `data:${gap}`, `meta:${gap}${meta}`)
    const bytes = Buffer.concat([add('Hello'), add(' dear'), add('', 'wörld'), finish])
    const half = bytes.indexOf('ö') + 1
    world.upstream.streams([bytes.subarray(0, half), bytes.subarray(half)], { gapMs: 5 })
    const body = { stream_options: { include_usage: true } }
    const { content, events } = await alice.asks('chatglm_pro', 'hi', { stream: true, body })
    expect(world.upstream.last()).toMatchObject({
      path: '/api/paas/v3/model-api/chatglm_pro/sse-invoke',
      json: { incremental: true },
    })
    expect(content).toBe('Hello dear\nwörld')
    expect(events.find((said) => said.usage)?.usage).toMatchObject(usage)
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBe(5)
  })

  it.each([
    [1002, 401, '1002'],
    [1113, 429, 'insufficient_quota'],
    [1214, 400, '1214'],
    [1302, 429, '1302'],
  ])('reports its error %i, which comes with status 200, as %i %s', async (code, told, toldCode) => {
    world.upstream.answers({ body: { code, msg: 'no such luck', success: false } })
    const { status, json } = await alice.asks('chatglm_pro', 'hi')
    expect([status, json.error.code]).toEqual([told, toldCode])
  })

  it('reports an error that a stream begins with, and one in its middle', async () => {
    const failed = event('event: error', `data: ${JSON.stringify({ code: 1214, msg: 'wrong' })}`)
    world.upstream.streams([failed])
    const first = await alice.asks('chatglm_pro', 'hi', { stream: true })
    expect([first.status, first.json.error.code]).toEqual([400, '1214'])
    world.upstream.streams([event('event: add', 'data: Hel'), failed])
    const { events } = await alice.asks('chatglm_pro', 'hi', { stream: true })
    expect(events.at(-1)?.error?.message).toContain('wrong')
  })

  it('refuses tools', async () => {
    const tools = [{ type: 'function', function: { name: 'clock' } }]
    const { status, json } = await alice.asks('chatglm_pro', 'hi', { body: { tools } })
    expect([status, json.error.code, json.error.param]).toEqual([400, 'convert_request_failed', 'tools'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})

const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
