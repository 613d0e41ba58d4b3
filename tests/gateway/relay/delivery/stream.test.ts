import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import type { StreamDeps } from '../../../../gateway/relay/delivery/running-stream.ts'
import { deliverStream, PING } from '../../../../gateway/relay/delivery/stream.ts'
import type { Sink } from '../../../../gateway/relay/model/answer.ts'

/** A stream between an upstream and a caller, both simulated by the test; its charge and stored response come later. */
function aStream({ queueLength = 0 } = {}) {
  const got: string[] = []
  const faults: unknown[] = []
  let sink: Sink | undefined
  const observed = { usage: null, finished: true, done: true, error: null, filtered: false, unreadable: false }
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    writableLength: 0,
    /** Whether the caller reads. */
    takes: true,
    write(text: string) {
      got.push(text)
      return this.takes
    },
    end: (text = '') => void got.push(`${text}|end`),
  })
  const charged = Promise.withResolvers<ReturnType<typeof usageOf>>()
  const kept = Promise.withResolvers<void>()
  const pipe = (to: Sink) => {
    sink = to
  }
  let resumed = 0
  const resume = () => {
    resumed += 1
  }
  const reply = { detach() {}, abort() {}, resume, pipe }
  const transform = {
    feed: (bytes: Buffer) => bytes.toString(),
    end: () => '',
    close: () => 'closing',
  }
  // The stream uses no other members of its context.
  const stream = deliverStream({
    reply,
    response: response as unknown as ServerResponse,
    transform,
    tap: { observed, produced: () => true },
    isCovered: () => true,
    readsOn: () => false,
    count: () => undefined,
    settle: () => charged.promise,
    found: () => kept.promise,
    queueLength,
    brokenEvent: () => 'broken',
    isTranslated: false,
    onFirst() {},
    onFault: (error: unknown) => faults.push(error),
  } as unknown as StreamDeps)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const chunk = (text: string) => sink?.chunk(Buffer.from(text))
  return { got, faults, charged, kept, stream, turn, response, observed, resumes: () => resumed, chunk }
}

it('sends its last bytes once it is charged and its stored parts can be found', async () => {
  const { got, charged, kept, stream, turn, chunk } = aStream()
  chunk('last ')
  await turn()
  expect(got).toEqual([])
  charged.resolve(usageOf({}))
  await turn()
  expect(got).toEqual([])
  stream.stop()
  stream.ping()
  kept.resolve()
  expect(await stream.finished).toBe('complete')
  expect(got).toEqual(['last closing|end'])
})

it.each(['\n\n', '\r\n\r\n'])('gets pings between two events that end with %j, and never within one', (blank) => {
  const { got, stream, observed, chunk } = aStream()
  Object.assign(observed, { finished: false, done: false })
  chunk(`data: a${blank}`)
  stream.ping()
  expect(got).toEqual([`data: a${blank}`, PING])
  chunk(`data: b${blank.slice(0, -1)}`)
  stream.ping()
  expect(got).toHaveLength(3)
})

it('ends without its closing words where the charge failed', async () => {
  const { got, faults, charged, kept, stream, chunk } = aStream()
  chunk('last ')
  charged.reject(new Error('no node answers'))
  kept.resolve()
  await stream.finished
  expect(got).toEqual(['last |end'])
  expect(faults).toEqual([new Error('no node answers')])
})

it('sends nothing to a caller who has left meanwhile', async () => {
  const { got, charged, kept, stream, response, chunk } = aStream()
  chunk('last ')
  response.emit('close')
  charged.resolve(usageOf({}))
  kept.resolve()
  expect(await stream.finished).toBe('complete')
  expect(got).toEqual([])
})

describe('a caller that reads slowly (docs/reference/streams.md#slow-callers)', () => {
  /** The number of chunks, up to `max`, that a stream accepts before its upstream has to wait. */
  const taken = (stream: ReturnType<typeof aStream>, max = 100) => {
    for (let count = 1; count <= max; count += 1) if (stream.chunk('more ') === false) return count
    return max
  }

  it.each([
    [0, 1],
    [1, 2],
    [40, 41],
  ])('buffers %i chunks before the upstream waits', (queueLength, chunks) => {
    const stream = aStream({ queueLength })
    Object.assign(stream.observed, { done: false, finished: false })
    stream.response.takes = false
    expect(taken(stream)).toBe(chunks)
    expect(stream.resumes()).toBe(0)
    stream.response.emit('drain')
    expect(stream.resumes()).toBe(1)
    expect(taken(stream)).toBe(chunks)
    expect(stream.got.length).toBe(2 * chunks)
  })

  it('never has more than a mebibyte buffered', () => {
    const stream = aStream({ queueLength: 10_000 })
    Object.assign(stream.observed, { done: false, finished: false })
    Object.assign(stream.response, { takes: false, writableLength: 1024 * 1024 })
    expect(stream.chunk('one more')).toBe(true)
    stream.response.writableLength += 8
    expect(stream.chunk('one too many')).toBe(false)
  })
})
