import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { complete, type Listener } from '../../../../renderer/pages/playground/completion.ts'

const settings = { group: '', model: 'm', temperature: 1, maxTokens: 0, system: '' }
const deaf: Listener = { onRequestId: () => {}, onDelta: () => {}, onUsage: () => {} }
const broken = () => {
  throw new TypeError('a fault of the page')
}
const event = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}\n\n'
const asks = (listener: Partial<Listener>, signal = new AbortController().signal) =>
  complete([{ role: 'user', content: 'hi' }], settings, { ...deaf, ...listener }, signal)

/** An answer whose body ends as `end` says. */
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
  it.each(['onRequestId', 'onDelta', 'onUsage'] as const)('hides no fault of its own listener: %s', async (name) => {
    answers(event, (controller) => controller.close())
    await expect(asks({ [name]: broken })).rejects.toThrow('a fault of the page')
    answers(event.slice('data: '.length), (controller) => controller.close(), 'application/json')
    await expect(asks({ [name]: broken })).rejects.toThrow('a fault of the page')
  })

  it('fails in words where the network gives nothing, or nothing more', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    expect(await asks({})).toHaveProperty('message')
    for (const type of ['text/event-stream', 'application/json']) {
      answers(event, (controller) => controller.error(new TypeError('terminated')), type)
      expect(await asks({}), type).toHaveProperty('message')
    }
  })

  it('is no failure where it was stopped', async () => {
    const stopping = new AbortController()
    answers(event, (controller) => {
      stopping.abort()
      controller.error(stopping.signal.reason)
    })
    expect(await asks({}, stopping.signal)).toBeUndefined()
  })
})
