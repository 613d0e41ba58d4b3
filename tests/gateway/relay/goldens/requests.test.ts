import { describe, expect, it } from 'vitest'
import { directionsOf } from './golden.ts'
import { expected, replayed } from './replay-request.ts'
import { requestGoldens } from './requests/index.ts'

const sections = Object.entries(requestGoldens)

describe.each(sections)('requests: %s (docs/reference/conversion.md#principles)', (_, goldens) => {
  describe.each(goldens)('$feature', (golden) => {
    const said = directionsOf(golden)
    it.each(said)('$pair', async ({ from, to }) => {
      expect(await replayed(golden, from, to)).toEqual(expected(golden, from, to))
    })
  })
})
