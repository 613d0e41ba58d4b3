import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gathered } from '../../../../gateway/base/bytes/gathered.ts'

describe('bytes that come in pieces (docs/reference/limits.md#bodies)', () => {
  it('are joined in their order, regardless of the size of the pieces', () => {
    const piece = fc.oneof(fc.nat(3), fc.nat(600), fc.integer({ min: 4000, max: 9000 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (sizes) => {
        const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1))
        const gathered = new Gathered()
        for (let round = 0; round < 2; round += 1) {
          for (const one of pieces) gathered.add(one)
          expect(gathered.size).toBe(sizes.reduce((sum, size) => sum + size, 0))
          expect(gathered.take().equals(Buffer.concat(pieces))).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
