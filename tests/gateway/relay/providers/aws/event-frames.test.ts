import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, it } from 'vitest'
import { BrokenFrame, EventFrames } from '../../../../../gateway/relay/providers/aws/event-frames.ts'

/**
 * Test vectors that AWS publishes with its SDKs for "Event stream encoding": empty, a payload, a payload with a header.
 */
const EMPTY = bytes('0000001000000000 05c248eb 7d98c8ff')
const PAYLOAD = bytes('0000001d00000000 fd528c5a 7b27666f6f273a27626172277d c3653936')
const WITH_HEADER = bytes(
  '0000003d00000020 07fd8396 0c636f6e74656e742d74797065 07 0010 6170706c69636174696f6e2f6a736f6e 7b27666f6f273a27626172277d 8d9c08b1',
)

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}

describe('frames of an AWS event stream', () => {
  it('are read as AWS writes them', () => {
    const frames = new EventFrames().feed(Buffer.concat([EMPTY, PAYLOAD, WITH_HEADER]))
    expect(frames.map(({ headers, payload }) => [headers, payload.toString()])).toEqual([
      [{}, ''],
      [{}, "{'foo':'bar'}"],
      [{ 'content-type': 'application/json' }, "{'foo':'bar'}"],
    ])
  })

  it('are the same however their bytes are cut', () => {
    const all = Buffer.concat([EMPTY, WITH_HEADER, PAYLOAD])
    for (let cut = 1; cut < all.length; cut += 1) {
      const frames = new EventFrames()
      const read = [...frames.feed(all.subarray(0, cut)), ...frames.feed(all.subarray(cut))]
      expect(read.map(({ payload }) => payload.length)).toEqual([0, 13, 13])
      expect(frames.isCut()).toBe(false)
    }
  })

  it('are read the same by the library of AWS’s own SDKs', () => {
    const codec = new EventStreamCodec(
      (part) => Buffer.from(part).toString('utf8'),
      (text) => Buffer.from(text),
    )
    for (const length of [0, 1, 200, 70_000]) {
      const headers = { ':event-type': 'chunk', ':message-type': 'event', 'x-ä': 'grüß' }
      const tagged = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value } as const])
      const body = Buffer.alloc(length, 'payload')
      const written = Buffer.from(codec.encode({ headers: Object.fromEntries(tagged), body }))
      const [frame] = new EventFrames().feed(written)
      expect(frame).toEqual({ headers, payload: body })
      expect(codec.decode(written)).toMatchObject({ headers: Object.fromEntries(tagged) })
    }
  })

  it('are refused if they are longer than a piece of a response', () => {
    const prelude = Buffer.alloc(12)
    const refusalOf = (length: number) => {
      prelude.writeUInt32BE(length, 0)
      prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
      return () => new EventFrames().feed(prelude)
    }
    expect(refusalOf(2 * 1024 * 1024)).not.toThrow()
    expect(refusalOf(2 * 1024 * 1024 + 1)).toThrow(BrokenFrame)
  })

  it('skip headers that are not text', () => {
    const flags = bytes('0161 00 0162 01 0163 02 05 0164 03 0001 0165 04 00000001 0166 06 0002 ffff 0167 07 0001 78')
    const whole = Buffer.concat([bytes('00000000 00000000 00000000'), flags, Buffer.alloc(4)])
    whole.writeUInt32BE(whole.length, 0)
    whole.writeUInt32BE(flags.length, 4)
    sealed(whole)
    expect(new EventFrames().feed(whole)[0]?.headers).toEqual({ g: 'x' })
  })

  it('are refused where a checksum does not fit or a length cannot be', () => {
    for (let at = 0; at < WITH_HEADER.length; at += 1) {
      const damaged = Buffer.from(WITH_HEADER)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(() => new EventFrames().feed(damaged), `byte ${at}`).toThrow(BrokenFrame)
    }
    const short = sealed(Buffer.from(PAYLOAD), 15)
    expect(() => new EventFrames().feed(short)).toThrow(BrokenFrame)
    const header = sealed(bytes('00000015 00000005 00000000 0361626309 00000000'))
    expect(() => new EventFrames().feed(header)).toThrow(BrokenFrame)
  })

  it('report a stream that ends within one', () => {
    const frames = new EventFrames()
    frames.feed(PAYLOAD.subarray(0, 20))
    expect(frames.isCut()).toBe(true)
  })
})

/** The frame with recomputed checksums, and optionally another stated length. */
function sealed(frame: Buffer, length = frame.length): Buffer {
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}
