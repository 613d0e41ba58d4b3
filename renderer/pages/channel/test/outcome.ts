import type { DeepTestResult } from '../../../../shared/api/channel-runs.ts'
import { isFine } from '../../../components/verdict-line/is-fine.ts'

/** How much is asked of a model: one plain call, or all that its kind has: plain, streamed, with a tool. */
export type Depth = 'plain' | 'full'

/** What came of testing one model; absent is untested. */
export type Outcome = Readonly<
  | { state: 'waiting' }
  | { state: 'ok'; seconds: number }
  | { state: 'failed'; why: string }
  | { state: 'done'; found: DeepTestResult }
>

/** How a test ended: `limited` can be used, but not for everything; `untestable` was not asked. */
export type Grade = 'works' | 'limited' | 'fails' | 'untestable'

/** The parts of an examination in the order they are made and told. */
export const parts = ['plain', 'stream', 'tool'] as const

/** The grade of an outcome; undefined while there is none. */
export function gradeOf(outcome: Outcome | undefined): Grade | undefined {
  if (!outcome || outcome.state === 'waiting') return undefined
  if (outcome.state === 'ok') return 'works'
  return outcome.state === 'failed' ? 'fails' : gradeOfFound(outcome.found)
}

/** How many models of a series ended in each way. */
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
