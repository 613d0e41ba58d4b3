import { describe, expect, it } from 'vitest'
import { readJson } from '../../../../gateway/base/json/json-read.ts'
import { answerBounds } from '../../../../gateway/base/json/json-scan.ts'
import { writeJson } from '../../../../gateway/base/json/json-write.ts'

const long = (piece: string, length = 2_500_000): string => piece.repeat(Math.ceil(length / piece.length))
const values: Readonly<Record<string, unknown>> = {
  'plain text': { a: long('x'), b: [1, null, true] },
  'text with all that is escaped': [long('"\\\n\u0001/\u2028'), { deep: [long('a"')] }],
  'halves of characters at every place': {
    a: `x${long('\u{1f680}')}`,
    b: long('\u{1f680}'),
    c: long('\ud83d', 90_000),
  },
  'several long texts, some the same': { z: long('y'), 1: long('y'), list: [long('z'), 'short', long('y')] },
  'names that mean something to objects': JSON.parse(`{"__proto__":"${long('p')}","toString":"${long('q')}"}`),
  'long lists of numbers': {
    vectors: Array.from({ length: 50 }, (_, at) => ({
      at,
      vector: Array.from({ length: 9000 }, (_, n) => n * 0.37 - at),
    })),
    empty: [[], [[]]],
  },
  'no text at all': { list: Array.from({ length: 1000 }, (_, at) => at), none: undefined },
  'one text': long('x'),
}

describe('a large value', () => {
  it.each(Object.entries(values))(
    '%s is written as JSON.stringify writes it, and read as JSON.parse reads it',
    async (_, value) => {
      const text = JSON.stringify(value)
      const bytes = await writeJson(value, true)
      expect(bytes.equals(Buffer.from(text))).toBe(true)
      const { json } = await readJson(bytes, answerBounds)
      // UTF-8 cannot represent lone surrogates.
      expect(JSON.stringify(json) === JSON.stringify(JSON.parse(bytes.toString()))).toBe(true)
    },
  )
})
