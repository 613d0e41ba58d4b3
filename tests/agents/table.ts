import { type FamilyName, families } from '../support/vendors/families.ts'
import type { Outcome } from './play.ts'
import { type AgentName, agents } from './programs.ts'
import { type ScenarioName, scenarios } from './scenarios.ts'

/** The fields of a play in the table. */
export type Verdict = Pick<Outcome, 'agent' | 'family' | 'scenario' | 'faults' | 'skipped'>

/**
 * The table of docs/clients.md: a row per agent and vendor, ✓ for success, a number for the note with the reason of a
 * failure.
 */
export function tableOf(verdicts: readonly Verdict[]): string {
  const notes: string[] = []
  const columns = Object.keys(scenarios).filter((name) => verdicts.some(({ scenario }) => scenario === name))
  const heads = columns.map((name) => scenarios[name as ScenarioName].label) // the keys of a constant
  const lines = [`| agent | vendor | ${heads.join(' | ')} |`, `|---|---|${'---|'.repeat(heads.length)}`]
  for (const agent of distinct(verdicts.map((one) => one.agent)))
    for (const family of distinct(verdicts.map((one) => one.family))) {
      const row = verdicts.filter((one) => one.agent === agent && one.family === family)
      const cells = columns.map((name) =>
        cellOf(
          row.find(({ scenario }) => scenario === name),
          notes,
        ),
      )
      if (row.length > 0) lines.push(`| ${labelOf(agent, family)} | ${cells.join(' | ')} |`)
    }
  return [...lines, '', ...notes.map((note, index) => `${index + 1}. ${note}`), ''].join('\n')
}

const labelOf = (agent: AgentName, family: FamilyName): string =>
  `${agents[agent].label} | ${families[family].label} (\`${families[family].model}\`)`

const distinct = <Name extends string>(names: readonly Name[]): Name[] => [...new Set(names)]

function cellOf(verdict: Verdict | undefined, notes: string[]): string {
  if (!verdict) return ''
  const why = verdict.skipped ?? verdict.faults[0]?.replaceAll(/\.\d+(?=[.:])/g, '')
  if (why === undefined) return '✓'
  const note = why.startsWith('it ') ? `${agents[verdict.agent].label}: ${why}.` : `${why}.`
  if (!notes.includes(note)) notes.push(note)
  return `${verdict.skipped ? '—' : '✗'} ${notes.indexOf(note) + 1}`
}
