import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audioSeconds } from '../../../../gateway/relay/tokenizer/audio-length.ts'
import { whisperTokens } from '../../../../gateway/relay/tokenizer/recording-size.ts'
import { aac, aiff, amr, flac, mp3, mp4, ogg, wav, webm } from './recordings.ts'

const DAY = 24 * 3600

/** A file with more data than its header claims. */
const filled = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(2_000_000)])

/** An MP3 whose first frame claims that it is the only one. */
function xing(bytes: Buffer): Buffer {
  bytes.write('Xing', 36, 'latin1')
  bytes.set([0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1], 40)
  return bytes
}

/** A FLAC file that claims 655,350 Hz, eight channels and 32 bits. */
function loud(bytes: Buffer): Buffer {
  bytes.writeBigUInt64BE((655_350n << 44n) | (7n << 41n) | (31n << 36n) | 16n, 18)
  return bytes
}

describe('the length of a recording (docs/reference/tokens.md#recordings)', () => {
  it.each([
    ['wav', wav(61)],
    ['mp3', mp3(61)],
    ['mp3 of changing bit rates', mp3(61, [0x90, 0xa0])],
    ['flac', flac(61)],
    ['m4a', mp4(61)],
    ['ogg', ogg(61)],
    ['aac', aac(61)],
    ['webm', webm(61)],
    ['aiff', aiff(61)],
    ['amr', amr(61)],
    ['amr-wb', amr(61, 'wide')],
  ])('is read from %s', async (_, bytes) => {
    expect(await audioSeconds(bytes)).toBeCloseTo(61, 0)
  })

  it('is determined by the content, not by the sender’s claim', async () => {
    expect(await audioSeconds(wav(61), 'audio/mpeg')).toBe(61)
    expect(await audioSeconds(mp3(61), 'video/mp4')).toBeCloseTo(61, 0)
  })

  it('takes the sender’s word for MP3 that begins with something else', async () => {
    const bytes = Buffer.concat([Buffer.alloc(100), mp3(61)])
    expect(await audioSeconds(bytes)).toBe(bytes.length / 16_000)
    expect(await audioSeconds(bytes, 'audio/mpeg')).toBeCloseTo(61, 0)
  })

  it('is a second for every 16,000 bytes when it cannot be determined', async () => {
    expect(await audioSeconds(Buffer.alloc(48_000))).toBe(3)
    expect(await audioSeconds(Buffer.alloc(48_000), 'audio/mpeg')).toBe(3)
    expect(await audioSeconds(webm(undefined))).toBe(webm(undefined).length / 16_000)
    expect(await audioSeconds(Buffer.alloc(0))).toBe(0)
  })

  it('is that of the file when a stream’s header claims an impossible length', async () => {
    expect(await audioSeconds(wav(2, 0xffff_ffff))).toBeCloseTo(2, 1)
  })

  it('is read behind tags, however many frames they have', async () => {
    const tag = (body: Buffer) =>
      Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, body.length >> 7, body.length & 127]), body])
    const bytes = Buffer.concat([tag(Buffer.alloc(9000, 'TXXX')), tag(Buffer.alloc(0)), mp3(61)])
    expect(await audioSeconds(bytes)).toBeCloseTo(61, 0)
    const isCut = Buffer.concat([tag(Buffer.alloc(900)).subarray(0, 500), mp3(0)])
    expect(await audioSeconds(isCut)).toBe(isCut.length / 16_000)
  })

  it.each([
    ['flac', filled(flac(1)), 192_000],
    ['flac of a rate that nobody records', filled(loud(flac(1))), 1_152_000],
    ['m4a', filled(mp4(1)), 64_000],
    ['ogg', filled(ogg(1)), 64_000],
    ['webm', Buffer.concat([webm(1), Buffer.from([0xec, 0x10, 0x1e, 0x84, 0x80]), Buffer.alloc(2_000_000)]), 64_000],
    ['mp3 that says in its first frame how long it is', xing(mp3(60)), 40_000],
    ['wav without a size', filled(wav(0, 0)), 16_000],
  ])('is never less than the bytes take at the highest bit rate: %s', async (_, bytes, rate) => {
    expect(await audioSeconds(bytes)).toBeCloseTo((bytes.length - 4096) / rate, 5)
  })

  it('is not a second more for the headers of a file', async () => {
    expect(Math.ceil(await audioSeconds(wav(61)))).toBe(61)
  })

  it('is between nothing and a day', async () => {
    expect(await audioSeconds(flac(100_000))).toBe(DAY)
    expect(await audioSeconds(webm(-5))).toBe(0)
    expect(await audioSeconds(webm(1e9))).toBe(DAY)
  })

  it('never throws, no matter what follows a valid beginning', async () => {
    const start = fc.constantFrom(...[wav(1), mp3(1), flac(1), mp4(1), ogg(1), webm(1), aiff(1), amr(1)])
    await fc.assert(
      fc.asyncProperty(start, fc.nat(64), fc.uint8Array({ maxLength: 400 }), async (whole, kept, rest) => {
        const seconds = await audioSeconds(Buffer.concat([whole.subarray(0, kept), rest]))
        expect(seconds).toBeGreaterThanOrEqual(0)
        expect(seconds).toBeLessThanOrEqual(DAY)
      }),
    )
  })
})

describe('tokens of a transcription', () => {
  it.each([
    [0, 0],
    [0.2, 17],
    [60, 1000],
    [60.1, 1017],
    [61, 1017],
    [3600, 60_000],
  ])('%f s make %i: a thousand a minute over whole seconds', (seconds, tokens) => {
    expect(whisperTokens(seconds)).toBe(tokens)
  })
})
