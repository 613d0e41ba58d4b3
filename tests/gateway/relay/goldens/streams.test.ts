import { describe, expect, it } from 'vitest'
import { pairs } from './golden.ts'
import { replayed } from './replay-stream.ts'
import { streamGoldens } from './streams/index.ts'

const sections = Object.entries(streamGoldens)

describe.each(sections)('streams: %s (spec/relay.md §3.2, §3.4, §3.6)', (_, goldens) => {
  describe.each(goldens)('$feature', (golden) => {
    const said = pairs.filter(({ from }) => golden.forms[from] !== null)
    it.each(said)('$pair', ({ pair, from, to }) => {
      expect(replayed(golden, from, to)).toEqual(golden.outcomes?.[pair]?.wire ?? golden.forms[to])
    })
  })
})
