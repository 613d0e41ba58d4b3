import { describe, expect, it } from 'vitest'
import { requestBounds, scanInSlices, scanNow } from '../../../../gateway/base/json/json-scan.ts'
import { countLoneSurrogates } from '../../../../gateway/base/json/lone-surrogates.ts'

const count = (text: string, max = 1000) => countLoneSurrogates(Buffer.from(text), 0, text.length, max)

describe('escaped surrogates without their other half (docs/reference/limits.md#bodies)', () => {
  it.each([
    ['\\ud800', 1],
    ['\\uDFFF', 1],
    ['\\ud83d\\ude00', 0],
    ['\\uD83D\\uDE00', 0],
    ['\\ud83d\\ud83d\\ude00', 1],
    ['\\ude00\\ud83d', 2],
    ['\\u4e2d\\ud7ff\\ue000', 0],
    // An escaped backslash before `ud800`, and one before an escape sequence.
    ['\\\\ud800', 0],
    ['\\\\\\ud800', 1],
    ['\\ud83d\\\\ude00', 1],
  ])('%s has %d', (text, expected) => {
    expect(count(text)).toBe(expected)
  })

  it('are counted in ranges, of which a pair may belong to two', () => {
    const bytes = Buffer.from('\\ud83d\\ude00\\ud800')
    expect([0, 6, 12].map((from) => countLoneSurrogates(bytes, from, from + 6, 10))).toEqual([0, 0, 1])
    expect(count('\\ud800'.repeat(20), 5)).toBe(6)
  })

  it('exceed the bounds of a long text, but not those of a short one', async () => {
    const long = Buffer.from(`["${'\\ud800'.repeat(200_000)}"]`)
    const pairs = Buffer.from(`["${'\\ud83d\\ude00'.repeat(200_000)}"]`)
    const short = Buffer.from(`["${'\\ud800'.repeat(120_000)}"]`)
    expect([scanNow(long, requestBounds).excess, (await scanInSlices(long, requestBounds)).excess]).toEqual([
      'surrogates',
      'surrogates',
    ])
    expect((await scanInSlices(pairs, requestBounds)).excess).toBeNull()
    expect(scanNow(short, requestBounds).excess).toBeNull()
  })
})
