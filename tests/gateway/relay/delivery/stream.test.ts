import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import { deliverStream, type StreamDeps } from '../../../../gateway/relay/delivery/stream.ts'
import type { Sink } from '../../../../gateway/relay/model/answer.ts'

/** A stream between an upstream and a caller that are this test, whose charge and kept answer come later. */
function aStream() {
  const got: string[] = []
  const faults: unknown[] = []
  let sink: Sink | undefined
  const observed = { usage: null, finished: true, done: true, error: null, filtered: false, unreadable: false }
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    write: (text: string) => got.push(text) > 0,
    end: (text = '') => void got.push(`${text}|end`),
  })
  const charged = Promise.withResolvers<ReturnType<typeof usageOf>>()
  const kept = Promise.withResolvers<void>()
  const pipe = (to: Sink) => {
    sink = to
  }
  const reply = { detach() {}, abort() {}, resume() {}, pipe }
  const transform = {
    feed: (bytes: Buffer) => bytes.toString(),
    end: () => '',
    close: () => 'closing',
  }
  // The stream looks at no more of its surroundings than this.
  const stream = deliverStream({
    reply,
    response: response as unknown as ServerResponse,
    transform,
    tap: { observed, produced: () => true },
    isCovered: () => true,
    count: () => undefined,
    settle: () => charged.promise,
    found: () => kept.promise,
    brokenEvent: () => 'broken',
    isTranslated: false,
    isOwn: false,
    onFirst() {},
    onFault: (error: unknown) => faults.push(error),
  } as unknown as StreamDeps)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { got, faults, charged, kept, stream, turn, response, chunk: (text: string) => sink?.chunk(Buffer.from(text)) }
}

it('sends its last bytes once it is charged, and what was kept of it can be found', async () => {
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
