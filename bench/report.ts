import { type Case, cases } from './cases.ts'
import { type CaseRound, judge, median, targets } from './targets.ts'

/** One round: figures by case, by contestant. */
export type Round = Record<string, CaseRound>

/** Lines of text cells in aligned columns; the first two columns and verdicts to the left, figures to the right. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const align = (cell: string, column: number) =>
    column < 2 || isVerdict(cell) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n')
}

/** The figures of each case, as medians over the rounds, one column per contestant. */
export function figureRows(rounds: Round[], contestants: string[]): string[][] {
  const shown: Record<string, Pick<Case, 'shows'>> = {
    ...cases,
    start: { shows: ['startSeconds', 'idleRssMb'] },
    integrity: { shows: ['answers', 'rows', 'logged', 'quotaOff'] },
  }
  const rows = Object.entries(shown).flatMap(([name, { shows }]) =>
    shows.map((figure) => [name, figure, ...contestants.map((one) => format(medianOf(rounds, name, one, figure)))]),
  )
  return [['case', 'figure', ...contestants], ...rows.filter((row) => row.slice(2).some((cell) => cell !== absent))]
}

/** Each target with its measured value. A target whose case did not run is left out. */
export const verdicts = (rounds: Round[], contestant = 'gateway') =>
  targets
    .filter((target) => rounds.some((round) => round[target.case]?.[contestant]))
    .map((target) => ({ ...target, ...judge(target, rounds, contestant) }))

export function verdictRows(found: ReturnType<typeof verdicts>): string[][] {
  const rows = found.map((one) => {
    const bars = [one.floor, one.goal].map((bar) => `${one.bar} ${bar}`)
    return [one.case, one.metric, format(one.value), ...bars, verdictOf(one)]
  })
  return [['case', 'target', 'gateway', 'floor', 'goal', ''], ...rows]
}

/** Our figures next to another revision's: each shown figure of both gateways and the median ratio of the rounds. */
export function comparisonRows(rounds: Round[], theirs: string): string[][] {
  const rows = figureRows(rounds, ['gateway', theirs]).slice(1)
  const lines = rows.map(([name = '', figure = '', ours = '', other = '']) => {
    const ratios = rounds.map((round) => {
      const [a, b] = [round[name]?.gateway?.[figure], round[name]?.[theirs]?.[figure]]
      return a === undefined || !b ? undefined : a / b
    })
    return [name, figure, ours, other, format(median(ratios.filter((one) => one !== undefined)))]
  })
  return [['case', 'figure', 'ours', 'theirs', 'ours/theirs'], ...lines]
}

const absent = 'n/a'
const isVerdict = (cell: string) => /^(PASS|FAIL|VOID)/.test(cell)

function verdictOf(one: { isVoid: boolean; value: number | undefined; isPassed: boolean; isGoalMet: boolean }) {
  if (one.isVoid) return 'VOID'
  if (one.value === undefined) return absent
  if (!one.isPassed) return 'FAIL'
  return one.isGoalMet ? 'PASS, goal met' : 'PASS'
}

const medianOf = (rounds: Round[], name: string, contestant: string, figure: string) =>
  median(rounds.map((round) => round[name]?.[contestant]?.[figure]).filter((one) => one !== undefined))

/** Counts in full; other figures with two decimals below 10, one below 1000, and only whole numbers above. */
function format(value: number | undefined): string {
  if (value === undefined) return absent
  if (Number.isInteger(value)) return String(value)
  return value >= 1000 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1)
}
