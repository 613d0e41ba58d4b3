import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formats } from '../../../../gateway/relay/formats/format.ts'
import { answerGoldens } from './answers/index.ts'
import { fidelityPage } from './fidelity.ts'
import { directionsOf, pairs, type Row } from './golden.ts'
import { requestGoldens } from './requests/index.ts'
import { streamGoldens } from './streams/index.ts'

const all: readonly Row[] = [requestGoldens, answerGoldens, streamGoldens].flatMap((goldens) =>
  Object.values(goldens).flat(),
)

describe('docs/fidelity.md', () => {
  it('equals the page generated from the goldens (npm run fidelity regenerates it)', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/fidelity.md'), 'utf8')
    expect(page).toBe(fidelityPage())
  })

  it('has more than 400 examples', () => {
    const examples = all.flatMap(directionsOf)
    expect(examples.length).toBeGreaterThan(400)
  })

  it('has unique feature names, and each feature is supported by at least one dialect', () => {
    for (const goldens of [requestGoldens, answerGoldens, streamGoldens]) {
      const names = Object.values<readonly Row[]>(goldens).flatMap((section) => section.map(({ feature }) => feature))
      expect(names).toEqual([...new Set(names)])
    }
    expect(all.filter(({ forms }) => formats.every((format) => forms[format] === null))).toEqual([])
  })

  it('has no outcome for directions whose source dialect does not support the feature', () => {
    const idle = all.flatMap(({ feature, forms, outcomes = {} }) =>
      pairs.filter(({ pair, from }) => outcomes[pair] && forms[from] === null).map(({ pair }) => `${feature}: ${pair}`),
    )
    expect(idle).toEqual([])
  })
})
