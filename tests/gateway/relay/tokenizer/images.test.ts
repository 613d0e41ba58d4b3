import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { imageSizeOf } from '../../../../gateway/relay/tokenizer/image-size.ts'
import { imageTokens } from '../../../../gateway/relay/tokenizer/images.ts'

const square = { width: 1024, height: 1024 }

describe('tokens of an image (docs/reference/tokens.md#images, OpenAI’s vision guide)', () => {
  it.each([
    ['gpt-4o', 'high', 1024, 1024, 765],
    ['gpt-4o', 'auto', 1024, 1024, 765],
    ['gpt-4o', 'low', 4096, 8192, 85],
    ['gpt-4o', 'high', 2048, 4096, 1105],
    ['gpt-4o', 'high', 512, 512, 255],
    ['gpt-4o', 'high', 513, 512, 425],
    ['openai/gpt-4o', 'high', 1024, 1024, 765],
    ['gpt-4o-mini', 'high', 1024, 1024, 2833 + 4 * 5667],
    ['gpt-5', 'high', 1024, 1024, 70 + 4 * 140],
    ['o1', 'low', 1024, 1024, 75],
    ['o3', 'high', 1024, 1024, 75 + 4 * 150],
    ['computer-use-preview', 'high', 1024, 1024, 65 + 4 * 129],
    ['gpt-4.1', 'high', 1024, 1024, 765],
    ['gpt-4.1-mini', 'high', 1024, 1024, Math.round(1024 * 1.62)],
    ['gpt-4.1-mini', 'high', 1800, 2400, Math.round(1452 * 1.62)],
    ['gpt-4.1-nano', 'high', 33, 32, Math.round(2 * 2.46)],
    ['o4-mini', 'high', 1024, 1024, Math.round(1024 * 1.72)],
    ['gpt-5-mini', 'high', 1024, 1024, Math.round(1024 * 1.62)],
    ['gpt-5-nano', 'high', 1024, 1024, Math.round(1024 * 2.46)],
    ['glm-4v', 'high', 1024, 1024, 1047],
    ['claude-sonnet-4-5', 'high', 1024, 1024, 1000],
    ['gemini-2.5-pro', 'high', 1024, 1024, 520],
  ])('%s, %s, %i × %i: %i', (model, detail, width, height, tokens) => {
    expect(imageTokens(model, detail, { width, height })).toBe(tokens)
  })

  it('takes three times the base for an image that could not be read', () => {
    expect(imageTokens('gpt-4o', 'high', undefined)).toBe(255)
    expect(imageTokens('gpt-5', undefined, undefined)).toBe(210)
    expect(imageTokens('gpt-4.1-mini', 'low', undefined)).toBe(255)
    expect(imageTokens('claude-sonnet-4-5', 'low', undefined)).toBe(1000)
    expect(imageTokens('grok-4', 'low', undefined)).toBe(520)
  })

  it('stays within the rules for any size a header may claim', () => {
    const side = fc.integer({ min: 1, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const [tiled, patched] = ['gpt-4o', 'gpt-4.1-mini'].map((model) =>
          imageTokens(model, 'high', { width, height }),
        )
        expect(tiled).toBeGreaterThanOrEqual(85 + 170)
        expect(tiled).toBeLessThanOrEqual(85 + 8 * 170)
        expect(patched).toBeGreaterThanOrEqual(2)
        expect(patched).toBeLessThanOrEqual(Math.round(1536 * 1.62))
      }),
    )
  })
})

describe('the size of an image', () => {
  it.each<[string, Buffer]>([
    ['PNG', png()],
    ['PNG of Apple', hex('89504e470d0a1a0a 00000004 43674249 50002002 2bd5b37f 0000000d 49484452 00000400 00000400')],
    ['GIF', gif()],
    ['JPEG', jpeg()],
    ['progressive JPEG with a table before and fill bytes', hex('ffd8 ffc4 0003 00 ffff ffc2 0011 08 0400 0400 03')],
    ['WebP', webp()],
    ['lossy WebP', Buffer.concat([Buffer.from('RIFF....WEBPVP8 '), hex('00000000 000000 9d012a 0044 0004')])],
    ['lossless WebP', Buffer.concat([Buffer.from('RIFF....WEBPVP8L'), hex('00000000 2f ffc3ff00')])],
    ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), hex('28000000 00040000 00fcffff')])],
    ['BMP of OS/2', Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), hex('0c000000 0004 0004')])],
    ['HEIC with a thumbnail', heif(ispe(160), ispe(1024), ispe(512))],
  ])('is read from the header of a %s', (_, bytes) => {
    expect(imageSizeOf(bytes)).toEqual(square)
  })

  it.each<[string, Buffer]>([
    ['of a HEIC without a size', heif(Buffer.alloc(65_000, box('free')))],
    ['of a HEIC with three thousand', heif(...Array.from({ length: 3000 }, () => ispe(9)))],
    ['of a JPEG of empty segments', Buffer.concat([hex('ffd8'), Buffer.alloc(65_000, hex('ffe00002'))])],
    ['of a JPEG of fill bytes', Buffer.concat([hex('ffd8'), Buffer.alloc(65_000, 0xff)])],
  ])('%s is searched at few positions (docs/reference/tokens.md#images)', (_, bytes) => {
    const reads = [vi.spyOn(Buffer.prototype, 'readUInt32BE'), vi.spyOn(Buffer.prototype, 'readUInt8')]
    imageSizeOf(bytes)
    const count = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    for (const read of reads) read.mockRestore()
    expect(count).toBeLessThan(4000)
  })

  it('is read from a file of which only the beginning is there', () => {
    const whole = Buffer.concat([jpeg(), Buffer.alloc(1_000_000)])
    expect(imageSizeOf(whole)).toEqual(square)
    expect(imageSizeOf(whole.subarray(0, 200))).toEqual(square)
  })

  it('is unknown for data that is not an image, is truncated, or has no width', () => {
    const svg = Buffer.from('<svg width="9" height="9" xmlns="http://www.w3.org/2000/svg"></svg>')
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), svg, png().subarray(0, 18), png(0)])
      expect(imageSizeOf(bytes)).toBeUndefined()
  })

  it('never throws, no matter what follows a valid beginning', () => {
    const magic = fc.constantFrom(...[png(), gif(), jpeg(), webp()].map((bytes) => bytes.subarray(0, 12)))
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
        const size = imageSizeOf(Buffer.concat([start, rest]))
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true)
      }),
    )
  })
})

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

function png(width = 1024): Buffer {
  const bytes = hex('89504e470d0a1a0a 0000000d 49484452 00000000 00000400 0806000000 00000000')
  bytes.writeUInt32BE(width, 16)
  return bytes
}

function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

function ispe(side: number): Buffer {
  const content = Buffer.alloc(12)
  content.writeUInt32BE(side, 4)
  content.writeUInt32BE(side, 8)
  return box('ispe', content)
}

const heif = (...properties: Buffer[]): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('heic')),
    box('meta', Buffer.alloc(4), box('hdlr'), box('iprp', box('ipco', ...properties))),
  ])

const gif = (): Buffer => hex('474946383961 0004 0004 f00000 2c')

const jpeg = (): Buffer =>
  Buffer.concat([
    hex('ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 fffe 0066'),
    Buffer.alloc(100),
    hex('ffc0 0011 08 0400 0400 03 012200 021101 031101 ffda'),
  ])

const webp = (): Buffer =>
  Buffer.concat([Buffer.from('RIFF....WEBPVP8X'), hex('0a000000 10000000 ff0300 ff0300'), Buffer.alloc(30)])
