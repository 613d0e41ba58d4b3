import { describe, expect, it } from 'vitest'
import { directionsOf } from './golden.ts'
import { replayed } from './replay-stream.ts'
import { streamGoldens } from './streams/index.ts'

const sections = Object.entries(streamGoldens)

describe.each(sections)(
  'streams: %s (docs/reference/conversion.md#principles, docs/reference/conversion.md#streams-for-anthropics-clients, docs/reference/conversion.md#gemini-to-openai)',
  (_, goldens) => {
    describe.each(goldens)('$feature', (golden) => {
      const said = directionsOf(golden)
      it.each(said)('$pair', ({ pair, from, to }) => {
        const { payloads, lost } = replayed(golden, from, to)
        expect(payloads).toEqual(golden.outcomes?.[pair]?.wire ?? golden.forms[to])
        expect(lost).toEqual(golden.outcomes?.[pair]?.reported ?? [])
      })
    })
  },
)
