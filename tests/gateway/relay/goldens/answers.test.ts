import { describe, expect, it } from 'vitest'
import { answerGoldens } from './answers/index.ts'
import { directionsOf } from './golden.ts'
import { answered, lostIn } from './replay-answer.ts'

const sections = Object.entries(answerGoldens)

describe.each(sections)(
  'answers: %s (docs/reference/conversion.md#principles, docs/reference/conversion.md#streams-for-anthropics-clients, docs/reference/conversion.md#gemini-to-openai)',
  (_, goldens) => {
    describe.each(goldens)('$feature', (golden) => {
      const said = directionsOf(golden)
      it.each(said)('$pair', ({ pair, from, to }) => {
        expect(answered(golden, from, to)).toEqual(golden.outcomes?.[pair]?.wire ?? golden.forms[to])
        expect(lostIn(golden, from, to)).toEqual(golden.outcomes?.[pair]?.reported ?? [])
      })
    })
  },
)
