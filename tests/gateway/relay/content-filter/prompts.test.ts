import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Logger } from '../../../../gateway/base/log/logger.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { aCaller } from '../websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../websockets/socket-vendor.ts'

const GIVEN = 1_000_000_000
const told: [string, unknown][] = []
const note = (message: string, facts: unknown) => void told.push([message, facts])
const log: Logger = { debug() {}, info() {}, warn: note, error: note }
let world: World
let vendor: SocketVendor
let alice: Person

const models = ['gpt-4o', 'text-embedding-3-small', 'dall-e-3', 'gpt-image-1', 'tts-1', 'gpt-realtime', 'whisper-1']
beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    log,
    options: {
      ModelRatio: Object.fromEntries(models.map((model) => [model, 1])),
      SensitiveWords: 'Open Sesame\n芝麻开门\nxyzzy\nxyzzy plugh',
    },
  })
  await world.channel({ models: models.filter((model) => model !== 'gpt-realtime').join() })
  await world.channel({ models: 'gpt-realtime', base_url: vendor.url })
  alice = await world.user({ quota: GIVEN })
})
afterAll(() => vendor.stop())
beforeEach(() => {
  world.upstream.reset()
  told.length = 0
})

const text = (words: string) => ({ type: 'text', text: words })
const chat = (content: unknown, more: object = {}) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content, ...more }],
})
const claude = (more: object) => ({
  model: 'gpt-4o',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
})
const asks = (model: string, more: object) => ({ model, ...more })
const generate = '/v1beta/models/gpt-4o:generateContent'

/** Filtered words at each position of the caller's text, by dialect; they vary in case and may be split. */
const said: readonly (readonly [string, string, object])[] = [
  ['the text of a message', '/v1/chat/completions', chat('please OPEN sesame now')],
  ['a text part', '/v1/chat/completions', chat([{ type: 'image_url', image_url: { url: 'data:,' } }, text('XYZZY')])],
  ['two text parts', '/v1/chat/completions', chat([text('open s'), text('esame')])],
  ['Chinese', '/v1/chat/completions', chat('你说芝麻开门吧')],
  ['a system message', '/v1/chat/completions', chat('open sesame', { role: 'system' })],
  ['the result of a tool', '/v1/chat/completions', chat('xyzzy', { role: 'tool', tool_call_id: 'call_1' })],
  ['the playground of an SDK', '/v1/completions', asks('gpt-4o', { prompt: ['hi', 'xyzzy'] })],
  ['the system of Messages', '/v1/messages', claude({ system: [text('open'), text(' sesame')] })],
  [
    'a summary of the gateway’s own',
    '/v1/responses',
    asks('gpt-4o', {
      input: [
        {
          type: 'compaction',
          encrypted_content: `switchyard:summary:${Buffer.from('We said xyzzy.').toString('base64')}`,
        },
      ],
    }),
  ],
  [
    'what one agent says to another',
    '/v1/responses',
    asks('gpt-4o', {
      input: [{ type: 'agent_message', content: [{ type: 'encrypted_content', encrypted_content: 'xyzzy' }] }],
    }),
  ],
  ['a message of Messages', '/v1/messages', claude({ messages: [{ role: 'user', content: [text('xyzzy')] }] })],
  [
    'a document of Messages',
    '/v1/messages',
    claude({
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'xyzzy' } }],
        },
      ],
    }),
  ],
  [
    'a tool result of Messages',
    '/v1/messages',
    claude({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text('xyzzy')] }] }],
    }),
  ],
  [
    'what stands beside a text',
    '/v1/messages',
    claude({
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', text: 'ok', content: [text('xyzzy')] }] },
      ],
    }),
  ],
  [
    'a function response beside a text',
    generate,
    { contents: [{ parts: [{ text: '', functionResponse: { name: 'f', response: { found: ['xyzzy'] } } }] }] },
  ],
  [
    'two texts with something beside them',
    '/v1/messages',
    claude({
      messages: [
        {
          role: 'user',
          content: [
            { ...text('open '), x: 1 },
            { ...text('sesame'), x: ['y'] },
          ],
        },
      ],
    }),
  ],
  ['the contents of Gemini', generate, { contents: [{ parts: [{ text: 'xy' }, { text: 'zzy' }] }] }],
  [
    'the instruction of Gemini',
    generate,
    { contents: [{ parts: [{ text: 'hi' }] }], systemInstruction: { parts: [{ text: 'xyzzy' }] } },
  ],
  [
    'the instruction in snake case',
    generate,
    { contents: [{ parts: [{ text: 'hi' }] }], system_instruction: { parts: { text: 'xyzzy' } } },
  ],
  [
    'a function response of Gemini',
    generate,
    { contents: [{ parts: [{ functionResponse: { name: 'f', response: { found: ['xyzzy'] } } }] }] },
  ],
  ['the input of Responses', '/v1/responses', asks('gpt-4o', { input: 'xyzzy' })],
  ['the instructions of Responses', '/v1/responses', asks('gpt-4o', { input: 'hi', instructions: 'xyzzy' })],
  [
    'two parts of Responses',
    '/v1/responses',
    asks('gpt-4o', {
      input: [{ role: 'user', content: ['open ', 'sesame'].map((part) => ({ type: 'input_text', text: part })) }],
    }),
  ],
  [
    'a tool output of Responses',
    '/v1/responses',
    asks('gpt-4o', { input: [{ type: 'function_call_output', call_id: 'a', output: '{"a":"xyzzy"}' }] }),
  ],
  ['the input of embeddings', '/v1/embeddings', asks('text-embedding-3-small', { input: ['a', 'open sesame'] })],
  ['the input of moderations', '/v1/moderations', asks('gpt-4o', { input: [text('xyzzy')] })],
  ['the prompt of an image', '/v1/images/generations', asks('dall-e-3', { prompt: 'xyzzy' })],
  ['the input of speech', '/v1/audio/speech', asks('tts-1', { input: 'xyzzy', voice: 'alloy' })],
  ['the query of a rerank', '/v1/rerank', asks('gpt-4o', { query: 'xyzzy', documents: ['a'] })],
  ['a text of a rerank', '/v1/rerank', asks('gpt-4o', { query: 'a', documents: ['a', 'xyzzy'] })],
  ['an object of a rerank', '/v1/rerank', asks('gpt-4o', { query: 'a', documents: [{ text: 'xyzzy' }] })],
]

/** Filtered words that must not match: they are not in text, not adjacent, or not whole. */
const unsaid: readonly (readonly [string, string, object])[] = [
  ['the beginning of a word', '/v1/chat/completions', chat('open sesam')],
  [
    'two messages',
    '/v1/chat/completions',
    { model: 'gpt-4o', messages: ['open ', 'sesame'].map((content) => ({ role: 'user', content })) },
  ],
  ['two inputs', '/v1/embeddings', asks('text-embedding-3-small', { input: ['open ', 'sesame'] })],
  [
    'the bytes of a picture',
    '/v1/messages',
    claude({
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'xyzzy' } }],
        },
      ],
    }),
  ],
  ['a member for the vendor', '/v1/chat/completions', { ...chat('hi'), user: 'xyzzy' }],
]

describe('blocked words in a request (docs/reference/limits.md#blocked-words)', () => {
  it.each(said)('%s is refused before any request or charge', async (_, path, body) => {
    const { status, json, text: answer } = await alice.calls(path, body)
    expect(status).toBe(400)
    expect(json.error.message).toMatch(/^The request contains words that the administrator has blocked\./)
    expect(answer).not.toMatch(/sesame|xyzzy|芝麻/i)
    expect(world.upstream.requests).toHaveLength(0)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 5, quota: 0, other: { status_code: 400 } })
    expect(JSON.stringify(receipt)).not.toMatch(/sesame|xyzzy|芝麻/i)
    expect(told).toEqual([['a blocked word in a request', { requestId: receipt.request_id, word: expect.any(String) }]])
    expect((await balancesOf(world, alice.id, GIVEN)).spent).toBe(0)
  })

  it.each([
    ['/v1/chat/completions', chat('xyzzy'), { error: { type: 'switchyard_error', code: 'sensitive_words_detected' } }],
    ['/v1/messages', claude({ system: 'xyzzy' }), { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1/responses', asks('gpt-4o', { input: 'xyzzy' }), { error: { code: 'check_request_sensitive_error' } }],
    [generate, { contents: [{ parts: [{ text: 'xyzzy' }] }] }, { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
  ])('%s is refused in its own dialect', async (path, body, refusal) => {
    expect((await alice.calls(path, body)).json).toMatchObject(refusal)
  })

  it('a form is read as well', async () => {
    const form = new FormData()
    form.set('model', 'gpt-image-1')
    form.set('prompt', 'a XYZZY')
    form.set('image', new Blob(['png'], { type: 'image/png' }), 'a.png')
    const sent = new Response(form)
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' }
    const { status } = await alice.calls('/v1/images/edits', new Uint8Array(await sent.arrayBuffer()), { headers })
    expect([status, world.upstream.requests.length]).toEqual([400, 0])
  })

  it.each(unsaid)('%s is let through', async (_, path, body) => {
    await alice.calls(path, body)
    expect(world.upstream.requests).toHaveLength(1)
    expect(told.filter(([message]) => /blocked/.test(message))).toEqual([])
  })

  it('no prompt is read where either switch is off', async () => {
    for (const name of ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled'] as const) {
      await world.option(name, false)
      expect((await alice.asks('gpt-4o', 'xyzzy')).status).toBe(200)
      await world.option(name, true)
      expect((await alice.asks('gpt-4o', 'xyzzy')).status).toBe(400)
    }
  })

  it('a realtime session continues without the event that contains one', async () => {
    vendor.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
      else say(session, { type: 'heard', frame })
    })
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    const item = (words: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] })
    caller.send({ type: 'session.update', session: { instructions: 'say xyzzy' } })
    caller.send({ type: 'conversation.item.create', item: item('Open Sesame') })
    caller.send({ type: 'conversation.item.create', item: item('hello') })
    const { frame } = await caller.gets('heard')
    expect(JSON.stringify(frame)).toContain('hello')
    const errors = caller.frames.filter(({ type }) => type === 'error')
    expect(errors.map(({ error }) => error.code)).toEqual(['sensitive_words_detected', 'sensitive_words_detected'])
    expect(JSON.stringify(errors)).not.toContain('xyzzy')
    caller.socket.close()
  })
})
