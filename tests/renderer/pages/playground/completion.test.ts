import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { complete, type Listener } from '../../../../renderer/pages/playground/completion.ts'

const fine = { topP: 1, frequencyPenalty: 0, presencePenalty: 0 }
const settings = { group: '', model: 'm', temperature: 1, ...fine, maxTokens: 0, system: '' }
const plain = { display_name: '', role: 1, status: 1, group: 'default' }
const deaf: Listener = { onRequestId: () => {}, onDelta: () => {}, onUsage: () => {} }
const broken = () => {
  throw new TypeError('a fault of the page')
}
const event = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}\n\n'
const completes = (listener: Partial<Listener>, signal = new AbortController().signal) =>
  complete([{ role: 'user', content: 'hi' }], settings, { ...deaf, ...listener }, signal)

/** A response whose body ends as `end` decides. */
function answers(body: string, end: (controller: ReadableStreamDefaultController) => void, type = 'text/event-stream') {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body))
    },
    pull: end,
  })
  vi.stubGlobal('fetch', async () => new Response(stream, { headers: { 'content-type': type } }))
}

beforeEach(() => void vi.stubGlobal('localStorage', { getItem: () => null }))
afterEach(() => void vi.unstubAllGlobals())

describe('an answer in the playground', () => {
  it.each(['onRequestId', 'onDelta', 'onUsage'] as const)('hides no fault of its listener: %s', async (name) => {
    answers(event, (controller) => controller.close())
    await expect(completes({ [name]: broken })).rejects.toThrow('a fault of the page')
    answers(event.slice('data: '.length), (controller) => controller.close(), 'application/json')
    await expect(completes({ [name]: broken })).rejects.toThrow('a fault of the page')
  })

  it('fails with a message where the network sends nothing, or nothing more', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    expect(await completes({})).toHaveProperty('message')
    for (const type of ['text/event-stream', 'application/json']) {
      answers(event, (controller) => controller.error(new TypeError('terminated')), type)
      expect(await completes({}), type).toHaveProperty('message')
    }
  })

  it('is not a failure where it was stopped', async () => {
    const stopping = new AbortController()
    answers(event, (controller) => {
      stopping.abort()
      controller.error(stopping.signal.reason)
    })
    expect(await completes({}, stopping.signal)).toBeUndefined()
  })

  it('is requested as a stream by the account that is signed in, and ends at [DONE]', async () => {
    const sent: [string, RequestInit][] = []
    const events = `${event}data: [DONE]\n\n${event.replace('Hi', 'more')}`
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ id: 7, username: 'ann', ...plain }) })
    vi.stubGlobal('fetch', async (...call: [string, RequestInit]) => {
      sent.push(call)
      return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    })
    const texts: string[] = []
    expect(await completes({ onDelta: ({ text }) => texts.push(text) })).toBeUndefined()
    expect(texts).toEqual(['Hi'])
    const [address, { method, headers, body }] = sent[0] ?? ['', {}]
    expect([method, address, headers]).toMatchObject(['POST', '/pg/chat/completions', { 'New-Api-User': '7' }])
    expect(JSON.parse(String(body))).toMatchObject({
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      model: 'm',
      group: '',
      temperature: 1,
    })
  })

  it('is requested once, for any outcome', async () => {
    let calls = 0
    for (const ends of [
      () => Promise.reject(new TypeError('fetch failed')),
      async () => new Response('{"error":{"message":"no"}}', { status: 500 }),
      async () => new Response('data: {"error":{"message":"no"}}\n\n'),
    ]) {
      vi.stubGlobal('fetch', () => {
        calls += 1
        return ends()
      })
      expect(await completes({})).toHaveProperty('message')
    }
    expect(calls).toBe(3)
  })
})
