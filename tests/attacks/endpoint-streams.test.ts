import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorEvent, onTheWire } from '../gateway/relay/delivery/wire.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import type { StreamEvent } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const KEY = 'canary-Zq81-of-the-channel'
const HUGE = 2_000_000
let world: World
let alice: Person
let asked = 0

beforeAll(async () => {
  const ratio = { 'gpt-4o-mini-tts': 1, 'gpt-image-1': 1 }
  world = await aWorld({ options: { ModelRatio: ratio, CompletionRatio: ratio, RetryTimes: 0 } })
  await world.channel({ models: Object.keys(ratio).join(','), key: KEY, auto_ban: 0 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const asks = {
  speech: ['/v1/audio/speech', { model: 'gpt-4o-mini-tts', input: 'hi', voice: 'alloy', stream_format: 'sse' }],
  images: ['/v1/images/generations', { model: 'gpt-image-1', prompt: 'a cat', stream: true }],
} as const

async function ask(what: keyof typeof asks, events: readonly StreamEvent[], hang = false) {
  world.upstream.streams(events, { hang, gapMs: 5 })
  const [path, body] = asks[what]
  const answer = await onTheWire(world, path, { key: await alice.key(), body: JSON.stringify(body) })
  asked += 1
  return { ...answer, receipt: await lastReceipt(world, alice.id, asked) }
}

const usage = (tokens: number) => ({ input_tokens: tokens, output_tokens: tokens, total_tokens: 2 * tokens })
const delta = { type: 'speech.audio.delta', audio: 'AAAA' }
const picture = { type: 'image_generation.partial_image', b64_json: 'AAAA' }
const long = (text: string) => Buffer.from(`data: {"type":"x","b64_json":"${'A'.repeat(100_000)}"${text}\n\n`)

describe('streams of speech and of images', () => {
  it('end with their last event: nothing after it counts or reaches the caller', async () => {
    const events = [delta, { type: 'speech.audio.done', usage: usage(10) }]
    const good = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const tail = [
      { type: 'speech.audio.delta', audio: 'AFTER' },
      { type: 'speech.audio.done', usage: usage(HUGE) },
    ]
    const { text, receipt } = await ask('speech', [...events, ...tail], true)
    expect(text).toBe(good)
    expect(receipt).toMatchObject({ prompt_tokens: 10, completion_tokens: 10, other: { ended: 'complete' } })
    expect(await world.upstream.last().aborted).toBe(true)
    const joined = Buffer.from(good + tail.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    expect((await ask('speech', [joined])).text).toBe(good)
    expect((await ask('images', [picture, '[DONE]', tail[0]!])).text).not.toContain('AFTER')
  })

  it.each(['speech', 'images'] as const)('contain no key and no address in an error: %s', async (what) => {
    const message = `no ${KEY} at ${world.upstream.url}/v1`
    for (const error of [{ message, type: 'server_error' }, message]) {
      const { text, receipt } = await ask(what, [what === 'speech' ? delta : picture, { type: 'error', error }, delta])
      expect(text).toContain('no *** at ***')
      expect(text).not.toMatch(/canary|127\.0\.0\.1/)
      expect(text.split('data:')).toHaveLength(3)
      expect(receipt.other.ended).toBe('upstream-error')
    }
  })

  it.each(['speech', 'images'] as const)('end with an error where an event does not parse: %s', async (what) => {
    const first = what === 'speech' ? delta : picture
    for (const bad of [Buffer.from('data: GARBLED\n\n'), Buffer.from('data: {"GARBLED":\n\n')]) {
      const { text, receipt } = await ask(what, [first, bad, delta])
      expect(text).toContain('AAAA')
      expect(text).not.toContain('GARBLED')
      expect(errorEvent(text).code).toBe('stream_response_error')
      expect(receipt.other.ended).toBe('upstream-error')
    }
  })

  it('pass long data before it is read, and end where it turns out not to be an event', async () => {
    const whole = long('}')
    expect((await ask('images', [whole, picture])).bytes.subarray(0, whole.length).equals(whole)).toBe(true)
    const { text } = await ask('images', [
      long(',GARBLED').subarray(0, 90_000),
      long(',GARBLED').subarray(90_000),
      picture,
    ])
    expect(errorEvent(text).code).toBe('stream_response_error')
    expect(text).not.toContain('GARBLED')
  })
})
