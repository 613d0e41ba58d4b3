import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'
import { aHeldVendor, begins, type HeldVendor, listening, says } from '../upstream/held-vendor.ts'

const GIVEN = 1_000_000_000
/** Milliseconds after which a comment would be due where none may be sent. */
const LONG_ENOUGH = 2500
let world: World
let vendor: HeldVendor
let alice: Person

beforeAll(async () => {
  vendor = await aHeldVendor()
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-4o': 1, 'by-claude': 1, 'gpt-image-1': 1 },
      RetryTimes: 1,
      'general_setting.ping_interval_enabled': true,
      'general_setting.ping_interval_seconds': 1,
    },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-4o,gpt-image-1', priority: 10 })
  await world.channel({ base_url: vendor.url, models: 'by-claude', type: 14 })
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => vendor.answers((response) => says(response, 200, chatAnswer('Hello'))))

const framed = (events: readonly (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
const HELLO = framed(chatStream(['Hello', ' there']))
const ask = async (dialect: DialectName = 'openai', model = 'gpt-4o', more: object = {}) =>
  listening(world.url + dialects[dialect].path(model, true), await alice.key(), {
    ...dialects[dialect].body(model, true),
    ...more,
  })
function aGate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { opened, open }
}
const PINGS = /^(: PING\n\n)+/

describe('a caller that requested a stream (docs/reference/streams.md#pings)', () => {
  it('receives a comment while the upstream thinks, under the head of a stream, and then the answer', async () => {
    const gate = aGate()
    vendor.answers(async (response) => {
      await gate.opened
      begins(response).end(HELLO)
    })
    const answer = await ask()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(await answer.hears(/PING/)).toBe(': PING\n\n')
    gate.open()
    const text = await answer.whole
    expect(text.replace(PINGS, '')).toBe(HELLO.replace(/data: \{[^\n]*"usage"[^\n]*\n\n/, ''))
    expect(await lastReceipt(world, alice.id)).toMatchObject({ type: 2, other: { ended: 'complete' } })
  })

  it('receives it between two chunks as well', async () => {
    const gate = aGate()
    const [first = '', ...rest] = HELLO.split(/(?<=\n\n)/)
    vendor.answers(async (response) => {
      begins(response, first)
      await gate.opened
      response.end(rest.join(''))
    })
    const answer = await ask()
    expect(await answer.hears(/PING/)).toBe(`${first}: PING\n\n`)
    gate.open()
    expect(await answer.whole).toContain('[DONE]')
  })

  it('never receives it within an event', async () => {
    const gate = aGate()
    const late = aGate()
    let response: ServerResponse | undefined
    const piece = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\n\n'
    vendor.answers(async (held) => {
      response = begins(held, `event: content_block_delta\n${piece}event: content_block_delta\n`)
      await gate.opened
      held.write(piece)
      await late.opened
      held.end('event: message_stop\ndata: {"type":"message_stop"}\n\n')
    })
    const answer = await ask('anthropic', 'by-claude')
    expect(await answer.hears(/event/)).toBe(`event: content_block_delta\n${piece}event: content_block_delta\n`)
    await sleep(LONG_ENOUGH)
    gate.open()
    const text = await answer.hears(/PING/)
    expect(text).toBe(`${`event: content_block_delta\n${piece}`.repeat(2)}: PING\n\n`)
    late.open()
    await answer.whole
    expect(response?.writableEnded).toBe(true)
  })

  it('receives later errors as an event of its dialect', async () => {
    const gate = aGate()
    vendor.answers(async (response) => {
      await gate.opened
      says(response, 400, { error: { message: 'that will not do', type: 'invalid_request_error' } })
    })
    const answers = await Promise.all(dialectNames.map((dialect) => ask(dialect)))
    for (const answer of answers) await answer.hears(/PING/)
    gate.open()
    for (const [index, dialect] of dialectNames.entries()) {
      const text = ((await answers[index]?.whole) ?? '').replace(PINGS, '')
      expect(answers[index]?.status).toBe(200)
      expect(JSON.parse(/data: (.*)\n\n$/.exec(text)?.[1] ?? ''), dialect).toMatchObject(refused[dialect])
      expect(text.includes('event: error\n')).toBe(dialect === 'anthropic' || dialect === 'responses')
    }
    expect(await lastReceipt(world, alice.id, dialectNames.length)).toMatchObject({
      type: 5,
      quota: 0,
      other: { status_code: 400 },
    })
  })

  it('is still answered by another channel when the first one fails', async () => {
    const other = await aHeldVendor()
    other.answers((response) => begins(response).end(HELLO))
    const id = await world.channel({ base_url: other.url })
    const gate = aGate()
    vendor.answers(async (response) => {
      await gate.opened
      says(response, 503, { error: { message: 'later' } })
    })
    const answer = await ask()
    await answer.hears(/PING/)
    gate.open()
    expect((await answer.whole).replace(PINGS, '')).toContain('[DONE]')
    expect((await lastReceipt(world, alice.id)).other.admin_info.use_channel).toHaveLength(2)
    await world.admin.delete(`/api/channel/${id}`)
  })

  it.each([
    ['a chat', 'openai' as const, 'gpt-4o', {}, chatAnswer('Hello')],
    ['Messages', 'anthropic' as const, 'gpt-4o', {}, chatAnswer('Hello')],
  ])('gets a whole answer of %s as a stream', async (_, dialect, model, more, body) => {
    const gate = aGate()
    vendor.answers(async (response) => {
      await gate.opened
      says(response, 200, body)
    })
    const answer = await ask(dialect, model, more)
    await answer.hears(/PING/)
    gate.open()
    const text = (await answer.whole).replace(PINGS, '')
    expect(text).toContain('Hello')
    expect(text).toMatch(/^(event: \w+\n)?data: \{.*\n\n$/s)
    expect(text).toMatch(dialect === 'openai' ? /data: \[DONE\]\n\n$/ : /"type":"message_stop"\}\n\n$/)
    expect(await lastReceipt(world, alice.id)).toMatchObject({ type: 2, prompt_tokens: 10, completion_tokens: 5 })
  })

  it('gets whole images as the one event of a stream', async () => {
    const gate = aGate()
    vendor.answers(async (response) => {
      await gate.opened
      says(response, 200, { created: 1, data: [{ b64_json: 'aGk=' }] })
    })
    const body = { model: 'gpt-image-1', prompt: 'a fox', stream: true }
    const answer = await listening(`${world.url}/v1/images/generations`, await alice.key(), body)
    await answer.hears(/PING/)
    gate.open()
    expect((await answer.whole).replace(PINGS, '')).toBe('data: {"created":1,"data":[{"b64_json":"aGk="}]}\n\n')
  })

  it('receives no pings after two hours', async () => {
    const answer = ask()
    const gate = aGate()
    vendor.answers(async (response) => {
      world.clock.advanceSeconds(7200)
      await gate.opened
      says(response, 400, { error: { message: 'no' } })
    })
    await sleep(LONG_ENOUGH)
    gate.open()
    expect((await answer).status).toBe(400)
  })

  it('that leaves ends the upstream call once it begins, and pays the prompt', async () => {
    const [left, begun] = [aGate(), aGate()]
    vendor.answers(async (response) => {
      response.on('close', left.open)
      await begun.opened
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n')
    })
    const answer = await ask()
    await answer.hears(/PING/)
    answer.leave()
    begun.open()
    await left.opened
    expect(await lastReceipt(world, alice.id)).toMatchObject({ type: 2, completion_tokens: 0 })
  })

  it('receives pings before a silent beginning, which is sent after three seconds', async () => {
    vendor.answers((response) => begins(response, framed([{ choices: [{ index: 0, delta: { role: 'assistant' } }] }])))
    const answer = await ask()
    expect(await answer.hears(/assistant/)).toMatch(/^(: PING\n\n)+data: [^\n]*assistant/)
    answer.leave()
  })
})

describe('pings are not sent', () => {
  /** The head is sent only with the response, so that it can have any status. */
  it.each([
    ['who wants no stream', '/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }],
    ['who wants an array', '/v1beta/models/gpt-4o:streamGenerateContent', { contents: [{ parts: [{ text: 'hi' }] }] }],
  ])('for a caller %s', async (_, path, body) => {
    vendor.answers(async (response) => {
      await sleep(LONG_ENOUGH)
      says(response, 400, { error: { message: 'no' } })
    })
    const answer = await listening(world.url + path, await alice.key(), body)
    expect(answer.status).toBe(400)
    expect(await answer.whole).not.toContain('PING')
  })

  it('before the first interval is over, nor where they are turned off', async () => {
    // The maximum, so that no ping is due even if the machine stalls for a while.
    await world.option('general_setting.ping_interval_seconds', 60)
    expect(await (await ask()).whole).not.toContain('PING')
    await world.option('general_setting.ping_interval_seconds', 1)
    await world.option('general_setting.ping_interval_enabled', false)
    vendor.answers(async (response) => {
      await sleep(LONG_ENOUGH)
      begins(response).end(HELLO)
    })
    expect(await (await ask()).whole).not.toContain('PING')
    await world.option('general_setting.ping_interval_enabled', true)
  })

  it('pays for them', async () => {
    expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  })
})

const refused: Record<DialectName, object> = {
  openai: { error: { message: expect.stringContaining('that will not do'), type: 'invalid_request_error' } },
  responses: { type: 'response.failed', response: { error: { message: expect.stringContaining('that will not do') } } },
  anthropic: { type: 'error', error: { type: 'invalid_request_error' } },
  gemini: { error: { code: 400, status: 'INVALID_ARGUMENT' } },
}
