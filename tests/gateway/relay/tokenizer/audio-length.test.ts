import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audioSeconds, whisperTokens } from '../../../../gateway/relay/tokenizer/audio-length.ts'
import { aac, aiff, amr, flac, mp3, mp4, ogg, wav, webm } from './recordings.ts'

const DAY = 24 * 3600

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

  it('goes by the content, not by what the sender claims', async () => {
    expect(await audioSeconds(wav(61), 'audio/mpeg')).toBe(61)
    expect(await audioSeconds(mp3(61), 'video/mp4')).toBeCloseTo(61, 0)
  })

  it('takes the sender’s word for MP3 that begins with something else', async () => {
    const bytes = Buffer.concat([Buffer.alloc(100), mp3(61)])
    expect(await audioSeconds(bytes)).toBe(bytes.length / 16_000)
    expect(await audioSeconds(bytes, 'audio/mpeg')).toBeCloseTo(61, 0)
  })

  it('is a second for every 16,000 bytes when nothing tells', async () => {
    expect(await audioSeconds(Buffer.alloc(48_000))).toBe(3)
    expect(await audioSeconds(Buffer.alloc(48_000), 'audio/mpeg')).toBe(3)
    expect(await audioSeconds(webm(undefined))).toBe(webm(undefined).length / 16_000)
    expect(await audioSeconds(Buffer.alloc(0))).toBe(0)
  })

  it('is what the file holds when a stream’s header claims more than can be', async () => {
    expect(await audioSeconds(wav(2, 0xffff_ffff))).toBeCloseTo(2, 1)
  })

  it('is between nothing and a day', async () => {
    expect(await audioSeconds(flac(100_000))).toBe(DAY)
    expect(await audioSeconds(webm(-5))).toBe(0)
    expect(await audioSeconds(webm(1e9))).toBe(DAY)
  })

  it('never throws, whatever follows a good beginning', async () => {
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
