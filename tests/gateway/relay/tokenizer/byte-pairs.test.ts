import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCounter } from '../../../../gateway/relay/tokenizer/byte-pairs.ts'
import { loadRanks, patterns } from '../../../../gateway/relay/tokenizer/vocabulary.ts'
import { published, samples } from './exact.ts'

const pieces = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ' the',
    'HTTPServer',
    "I'LL",
    '\r\n',
    '   ',
    '12345',
    '中文，',
    '👩‍👩‍👧',
    'ß',
    '\u0301',
    '//\n/',
    '\ud800',
    'aaaaaaaa',
  ),
)
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))

describe.each(['o200k_base', 'cl100k_base'] as const)('counting with %s', async (encoding) => {
  const count = createCounter(await loadRanks(encoding), patterns[encoding])

  it.each([
    ['', 0, 0],
    ['hello world', 2, 2],
    ['tiktoken is great!', 6, 6],
    ['antidisestablishmentarianism', 6, 6],
    ['2 + 2 = 4', 7, 7],
    ['お誕生日おめでとう', 8, 9],
    ['<|endoftext|>', 7, 7],
  ])('finds in %j the tokens that OpenAI publishes', (text, o200k, cl100k) => {
    expect(count(text)).toBe(encoding === 'o200k_base' ? o200k : cl100k)
  })

  it('counts any text like the published tokenizer', () => {
    fc.assert(fc.property(texts, (text) => count(text) === published[encoding](text)))
    for (const text of Object.values(samples)) expect(count(text)).toBe(published[encoding](text))
  })

  it('stays within 5 % where runs are too long to be counted whole', () => {
    const long = samples.English.replace(/[^a-z]/gi, '').repeat(8)
    expect(Math.abs(count(long) / published[encoding](long) - 1)).toBeLessThan(0.05)
    const chinese = samples.Chinese.replace(/[，。：]/g, '').repeat(8)
    expect(Math.abs(count(chinese) / published[encoding](chinese) - 1)).toBeLessThan(0.05)
  })
})
