import { beforeAll, describe, expect, it } from 'vitest'
import { createMerge } from '../../../../gateway/relay/tokenizer/merge.ts'
import { buildRanks, type Ranks, rankOf } from '../../../../gateway/relay/tokenizer/ranks.ts'
import { loadRanks } from '../../../../gateway/relay/tokenizer/vocabulary.ts'
import { randomFrom } from '../../../support/random.ts'

/** A plain implementation of merging: searches for the lowest pair each time. */
function mergedPlainly(ranks: Ranks, bytes: Uint8Array): number {
  const ends = Array.from(bytes, (_, index) => index + 1)
  for (;;) {
    const pairs = ends.slice(1).map((end, index) => rankOf(ranks, bytes, index === 0 ? 0 : (ends[index - 1] ?? 0), end))
    const known = pairs.filter((rank) => rank >= 0)
    if (known.length === 0) return ends.length
    ends.splice(pairs.indexOf(Math.min(...known)), 1)
  }
}

const random = randomFrom(7)
const below = (limit: number) => Math.floor(random() * limit)
const text = (length: number, from: number, count: number) =>
  Array.from({ length }, () => String.fromCharCode(from + below(count))).join('')
const encoded = (part: string) => new TextEncoder().encode(part).subarray(0, 504)

describe.each(['o200k_base', 'cl100k_base'] as const)('merging by %s', (encoding) => {
  let ranks: Ranks

  beforeAll(async () => {
    ranks = await loadRanks(encoding)
  })

  it.each([
    ['letters', () => text(below(300) + 1, 97, 26)],
    ['few letters', () => text(below(300) + 1, 97, 2)],
    ['one letter', () => 'x'.repeat(below(504) + 1)],
    ['Chinese', () => text(below(168) + 1, 0x4e00, 3000)],
    ['one sign', () => '年'.repeat(below(168) + 1)],
    ['punctuation', () => text(below(504) + 1, 33, 15)],
    ['emoji', () => '😀🎉'.repeat(below(60) + 1)],
  ])('is that of the lowest pair, then the leftmost: %s', (_, make) => {
    const merge = createMerge(ranks)
    for (let turn = 0; turn < 15; turn += 1) {
      const bytes = encoded(make())
      expect(merge(bytes, bytes.length)).toBe(mergedPlainly(ranks, bytes))
    }
  })
})

it('is right where ranks fall as parts grow, as in no published table', () => {
  const ranks = buildRanks(['abcd', 'cd', 'abc', 'bc', 'ab', 'a', 'b', 'c', 'd'])
  const merge = createMerge(ranks)
  for (let turn = 0; turn < 300; turn += 1) {
    const bytes = encoded(text(below(40) + 1, 97, 4))
    expect(merge(bytes, bytes.length)).toBe(mergedPlainly(ranks, bytes))
  }
})
