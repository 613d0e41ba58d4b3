import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLineReader } from '../../../../gateway/relay/formats/sse.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { CHAT, chat, onTheWire } from './wire.ts'

const usage = '{"prompt_tokens":70,"completion_tokens":30,"total_tokens":100}'
const text = (content: string) => `{"id":"c","choices":[{"index":0,"delta":{"content":"${content}"}}],"usage":null}`
const usageEvent = `data: {"id":"c","choices":[],"usage":${usage}}\r\n\r\n`

/**
 * Streams as real vendors send them: comments, names, retries, CRLF, no space, several lines, unknown events, split
 * characters.
 */
const before =
  ': ping\n\n' +
  'retry: 3000\nid: 1\n' +
  `event: message\r\ndata: ${text('gr\u00fc\u00df \ud83d\ude00')}\r\n\r\n` +
  `data:${text('b')}\n\n` +
  'event: unknown\ndata: {"first":\ndata: "line"}\n\ndata\n\n' +
  'event: keep-alive\ndata:\n\n' +
  'data: {"choices":[],"prompt_filter_results":[]}\n\n' +
  'field without colon\n\n\n\n' +
  'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
const after = 'data: [DONE]\n\n'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 2 } } })
  await world.channel()
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const received = async (pieces: readonly Buffer[], more: object = {}) => {
  world.upstream.streams(pieces)
  const answer = await onTheWire(world, CHAT, {
    key: await alice.key(),
    body: chat('gpt-4o', { stream: true, ...more }),
  })
  expect(answer.status).toBe(200)
  expect(answer.broke).toBeUndefined()
  return answer
}
const asked = { stream_options: { include_usage: true } }

describe('a stream of the same dialect (docs/reference/conversion.md#same-dialect)', () => {
  it.each([
    ['as vendors send it', before + usageEvent + after],
    ['without [DONE]', before + usageEvent],
    ['without a final newline', before + usageEvent.trimEnd()],
    [
      'with bytes that are not UTF-8',
      Buffer.concat([Buffer.from(before), Buffer.from([0x3a, 0xff, 0xfe, 10, 10]), Buffer.from(usageEvent)]),
    ],
  ])('reaches a caller who requested usage byte for byte, %s', async (_, stream) => {
    const bytes = Buffer.from(stream as string)
    expect((await received([bytes], asked)).bytes.equals(bytes)).toBe(true)
    expect(await lastReceipt(world, alice.id)).toMatchObject({
      quota: 70 + 30 * 2,
      other: { usage_source: 'upstream', ended: 'complete' },
    })
  })

  it('loses only the usage event where the caller did not request it', async () => {
    const { bytes } = await received([Buffer.from(before + usageEvent + after)])
    expect(bytes.toString('utf8')).toBe(before + after)
    expect((await lastReceipt(world, alice.id)).quota).toBe(70 + 30 * 2)
  })

  it('loses nothing else even with bytes that are not UTF-8', async () => {
    const strange = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0x3a, 0xff, 0xc3, 0xa9, 0xfe, 0xfd, 0xfc, 0xfb, 10, 10]),
    ])
    const { bytes } = await received([Buffer.concat([strange, Buffer.from(usageEvent + after)])])
    expect(bytes.equals(Buffer.concat([strange, Buffer.from(after)]))).toBe(true)
  })

  it('retains usage in an event that also has choices', async () => {
    const joined = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":${usage}}\n\ndata: [DONE]\n\n`
    expect((await received([Buffer.from(joined)])).text).toBe(joined)
  })

  it('is the same for any split into pieces', async () => {
    const whole = Buffer.from(before + usageEvent + after)
    for (const size of [1, 7, 64]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
        whole.subarray(index * size, (index + 1) * size),
      )
      expect((await received(pieces)).text).toBe(before + after)
      expect((await received(pieces, asked)).bytes.equals(whole)).toBe(true)
      expect((await lastReceipt(world, alice.id)).quota).toBe(70 + 30 * 2)
    }
  })

  it('ends as complete though the finish is in a last line without a newline', async () => {
    const last = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}'
    for (const more of [{}, asked]) {
      expect((await received([Buffer.from(last)], more)).text).toBe(last)
      expect((await lastReceipt(world, alice.id)).other.ended).toBe('complete')
    }
  })

  it('ends as complete though the upstream breaks the connection after [DONE]', async () => {
    world.upstream.streams([Buffer.from(before + usageEvent), Buffer.from('data: [DONE]\n\n'), 'never'], {
      cutAfter: 2,
      gapMs: 20,
    })
    const { text } = await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o', { stream: true }) })
    expect(text).toBe(`${before}data: [DONE]\n\n`)
    expect((await lastReceipt(world, alice.id)).other.ended).toBe('complete')
  })
})

describe('the line reader', () => {
  it('sees the same lines and gives the same bytes, cut at every position', () => {
    const whole = Buffer.from(before + usageEvent + after)
    const read = (cuts: readonly number[], drops: boolean) => {
      const observed: string[] = []
      const reader = createLineReader((payload) => {
        observed.push(payload)
        return drops && payload.includes('prompt_tokens') ? 'drop' : 'keep'
      })
      const edges = [0, ...cuts, whole.length]
      const out = edges.slice(1).map((end, index) => reader.feed(whole.subarray(edges[index], end)))
      return { observed, out: Buffer.concat([...out, reader.end()]).toString('utf8') }
    }
    const expected = read([], true)
    expect(expected.out).toBe(before + after)
    expect(expected.observed).toHaveLength(7)
    for (let first = 0; first <= whole.length; first += 1)
      for (const second of [
        first,
        Math.min(first + 1, whole.length),
        Math.min(first + 40, whole.length),
        whole.length,
      ]) {
        expect(read([first, second], true)).toEqual(expected)
        expect(read([first, second], false)).toEqual({ ...expected, out: whole.toString('utf8') })
      }
  })
})
