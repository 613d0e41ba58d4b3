import type { DeepTestResult } from '../../../../shared/api/channel-runs.ts'
import { isFine } from '../../../components/verdict-line/is-fine.ts'

/** The depth of a test: one plain call, or all that apply to the model's kind: plain, streamed, with a tool. */
export type Depth = 'plain' | 'full'

/** The outcome of testing one model; undefined is untested. */
export type Outcome = Readonly<
  | { state: 'waiting' }
  | { state: 'ok'; seconds: number }
  | { state: 'failed'; why: string }
  | { state: 'done'; found: DeepTestResult }
>

/** The result of a test: `limited` is usable with restrictions; `untestable` was not called. */
export type Grade = 'works' | 'limited' | 'fails' | 'untestable'

/** The calls of a deep test, in order. */
export const parts = ['plain', 'stream', 'tool'] as const

/** The grade of an outcome; undefined if there is none yet. */
export function gradeOf(outcome: Outcome | undefined): Grade | undefined {
  if (!outcome || outcome.state === 'waiting') return undefined
  if (outcome.state === 'ok') return 'works'
  return outcome.state === 'failed' ? 'fails' : gradeOfFound(outcome.found)
}

export function tally(series: readonly string[], outcomes: ReadonlyMap<string, Outcome>): Record<Grade, number> {
  const counts = { works: 0, limited: 0, fails: 0, untestable: 0 }
  for (const model of series) {
    const grade = gradeOf(outcomes.get(model))
    if (grade) counts[grade] += 1
  }
  return counts
}

function gradeOfFound(found: DeepTestResult): Grade {
  const verdicts = parts.flatMap((part) => found[part] ?? [])
  if (verdicts.length === 0) return 'untestable'
  if (verdicts.every(({ ok }) => ok)) return 'works'
  return found.plain && isFine(found.plain.code) ? 'limited' : 'fails'
}
