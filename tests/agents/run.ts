import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type FamilyName, familyNames } from '../support/vendors/families.ts'
import { aStage, type Outcome, type Play } from './play.ts'
import { type AgentName, agents } from './programs.ts'
import { record } from './record.ts'
import { type ScenarioName, scenarios } from './scenarios.ts'
import { tableOf } from './table.ts'

/**
 * Runs the agents that are installed here against a gateway with fake vendors and prints the table of docs/clients.md.
 * `--bin` names folders with agents, before those of PATH; `--agents`, `--vendors` and `--scenarios` restrict the run
 * to those named; `--at-once` sets how many run in parallel; `--keep` names a folder for requests and outputs,
 * `--record` one for fixtures (under another `--label`). With `--lenient`, vendors respond to requests that they would
 * refuse, so that further faults appear. With `--set-up`, agents are connected by `switchyard connect`.
 */
const { values } = parseArgs({
  options: {
    bin: { type: 'string', multiple: true, default: [] },
    agents: { type: 'string', default: Object.keys(agents).join(',') },
    vendors: { type: 'string', default: familyNames.join(',') },
    scenarios: { type: 'string', default: Object.keys(scenarios).join(',') },
    'at-once': { type: 'string', default: '2' },
    keep: { type: 'string' },
    record: { type: 'string' },
    label: { type: 'string' },
    lenient: { type: 'boolean', default: false },
    'set-up': { type: 'boolean', default: false },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)
const named = <Name extends string>(text: string): Name[] => text.split(',') as Name[]
const plays: readonly Play[] = named<AgentName>(values.agents).flatMap((agent) =>
  named<FamilyName>(values.vendors).flatMap((family) =>
    named<ScenarioName>(values.scenarios).map((scenario) => ({ agent, family, scenario })),
  ),
)
const waiting = [...plays]
const bins = values.bin.map((folder) => resolve(folder))
const outcomes: Outcome[] = []
await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
print(`\n${tableOf(inOrder())}`)
if (values.record) recordAll(values.record)
process.exit(outcomes.every(({ faults }) => faults.length === 0) ? 0 : 1)

/** Outcomes in the order in which the plays were requested. */
function inOrder(): Outcome[] {
  const placeOf = ({ agent, family, scenario }: Play) =>
    plays.findIndex((one) => one.agent === agent && one.family === family && one.scenario === scenario)
  return outcomes.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Writes one fixture per agent, in the order of the plays. */
function recordAll(folder: string): void {
  for (const agent of named<AgentName>(values.agents)) {
    const own = Object.keys(scenarios).flatMap((name) =>
      outcomes.filter((one) => one.agent === agent && one.scenario === name),
    )
    record(own, { folder, version: versionOf(agent), label: values.label })
  }
}

function versionOf(agent: AgentName): string {
  const env = { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) }
  const { stdout } = spawnSync(agents[agent].command, ['--version'], { env, encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? 'unknown'
}

async function work(): Promise<void> {
  const stage = await aStage({ bins, isLenient: values.lenient, isSetUp: values['set-up'] })
  for (let play = waiting.shift(); play; play = waiting.shift()) report(await stage.plays(play))
  await stage.stop()
}

function report(outcome: Outcome): void {
  outcomes.push(outcome)
  const name = `${outcome.agent} ${outcome.family} ${outcome.scenario}`
  const mark = outcome.skipped ? '-' : 'ok'
  print(`${outcome.faults.length > 0 ? 'FAULT' : mark} ${name} (${outcome.seconds.toFixed(1)} s)`)
  for (const fault of outcome.faults.slice(0, 6)) print(`    ${fault}`)
  if (!values.keep) return
  mkdirSync(values.keep, { recursive: true })
  writeFileSync(join(values.keep, `${name.replaceAll(' ', '.')}.json`), JSON.stringify(outcome, undefined, 2))
}
