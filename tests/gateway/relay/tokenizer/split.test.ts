import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitRuns } from '../../../../gateway/relay/tokenizer/split.ts'
import { patterns } from '../../../../gateway/relay/tokenizer/vocabulary.ts'
import { samples } from './exact.ts'

const runs = fc
  .tuple(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
      fc.constantFrom(
        'a',
        'A',
        "'",
        '!',
        '\n',
        '/\n',
        ' ',
        '\t\n',
        '　',
        '中',
        '，',
        '👍',
        '\u0301',
        '\ud800',
        '\udc00',
        '7',
        "'s",
        '\f',
        '\n\f',
        '\u00a0',
        'é',
      ),
    ),
    fc.integer({ min: 1, max: 1500 }),
  )
  .map(([unit, times]) => unit.repeat(times))
const texts = fc.array(runs, { maxLength: 5 }).map((parts) => parts.join(''))

const longestPart = (text: string): number =>
  Math.max(
    0,
    ...splitRuns(text).flatMap((piece) =>
      Object.values(patterns).flatMap((pattern) =>
        [...piece.matchAll(pattern)].map(([part]) => Buffer.byteLength(part)),
      ),
    ),
  )

describe('splitting text before it is counted (docs/reference/tokens.md#exact-counts)', () => {
  it('leaves no pre-token of more than 512 bytes, and every character in its position', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(splitRuns(text).join('')).toBe(text)
        expect(longestPart(text)).toBeLessThanOrEqual(512)
      }),
    )
  })

  it('cuts the run that has no end', () => {
    expect(splitRuns('a'.repeat(100_000)).length).toBe(Math.ceil(100_000 / 504))
  })

  it('never cuts a character in two', () => {
    const pieces = splitRuns(`x${'👍'.repeat(5000)}`)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })

  it('leaves ordinary text whole, however long', () => {
    for (const text of [...Object.values(samples), 'Съешь же ещё этих мягких французских булок, да выпей чаю. ']) {
      const long = text.repeat(100)
      expect(splitRuns(long)).toEqual([long])
    }
  })
})
