import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { errorEvent } from '../delivery/wire.ts'

const MIB = 1024 * 1024
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
  alice = await world.user({ quota: 1_000_000_000 })
})

/** Each request on its own connection, because an idle one may close before the event loop reaches the next request. */
const ask = (stream: boolean) => alice.asks('gpt-4o', 'hi', { stream, headers: { connection: 'close' } })
const packed = (encoding: string, type = 'application/json') => ({ 'content-encoding': encoding, 'content-type': type })

/** A hundred mebibytes, compressed to about a hundred kilobytes. */
const swelling = (piece: string): Buffer => Buffer.concat(Array(100).fill(gzipSync(Buffer.alloc(MIB, piece))))

describe('an answer that comes packed unasked (docs/reference/limits.md#bodies)', () => {
  it('is unpacked no further than 64 MiB, whole or as a stream', async () => {
    const bomb = swelling(' ')
    const lines = swelling(`: ${'x'.repeat(1020)}\n\n`)
    world.upstream.answers(
      { headers: packed('gzip'), body: bomb },
      { status: 400, headers: packed('gzip'), body: bomb },
      { headers: packed('gzip', 'text/event-stream'), events: [lines] },
    )
    expect((await ask(false)).status).toBe(502)
    expect((await ask(false)).status).toBe(400)
    const { text } = await ask(true)
    expect(text.length).toBeLessThan(65 * MIB)
    expect(errorEvent(text.slice(-1000)).code).toBe('stream_response_error')
  })
})
