import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anUpstream, type Recorded, type Script } from '../support/upstream.ts'
import { type Family, type FamilyName, families, refusal } from '../support/vendors/families.ts'
import { aGateway } from './gateway.ts'
import { flag, log } from './material.ts'
import { type Agent, type AgentName, agents, type Start, settle } from './programs.ts'
import { FILES, type Scenario, type ScenarioName, scenarios } from './scenarios.ts'
import { setUpAgent } from './set-up.ts'
import { aTap, type Exchange } from './tap.ts'

/** One cell of the table. */
export type Play = Readonly<{ agent: AgentName; family: FamilyName; scenario: ScenarioName }>

export type Outcome = Play &
  Readonly<{
    /** Faults, the vendor's refusals first. */
    faults: readonly string[]
    /** The reason why it was skipped. */
    skipped?: string
    exchanges: readonly Exchange[]
    output: string
    seconds: number
  }>

/** Time after which an agent is stopped. */
const LIMIT_MS = 90_000

type Stage = Readonly<{
  bins: readonly string[]
  isLenient: boolean
  /** Agents are configured only by `switchyard connect`. */
  isSetUp: boolean
}>

/** A gateway with fake vendors, for one play at a time. */
export async function aStage({ bins, isLenient, isSetUp }: Stage) {
  const upstream = await anUpstream()
  const gateway = await aGateway(upstream.url)
  const tap = await aTap(gateway.url)
  return {
    async plays(play: Play): Promise<Outcome> {
      const agent: Agent = isSetUp ? setUpAgent(play.agent) : agents[play.agent]
      const scenario: Scenario = scenarios[play.scenario]
      const skipped = scenario.needs && agent.cannot?.[scenario.needs]
      if (skipped) return { ...play, faults: [], skipped, exchanges: [], output: '', seconds: 0 }
      const home = mkdtempSync(join(tmpdir(), 'agent-'))
      const place = furnish(home)
      const refused: string[] = []
      const family = families[play.family]
      const { project } = place
      const asked = { prompt: '', ...scenario.asks(place, agent) }
      const start: Start = {
        home,
        project,
        url: tap.url,
        key: gateway.keyFor(play.family),
        model: family.model,
        ...asked,
      }
      const cast = { family, scenario, agent, project, refused, isLenient }
      await settle(agent, start)
      const begunMs = performance.now()
      if (agent.goesOn && scenario.before) {
        upstream.reset()
        upstream.answers(vendorFor({ ...cast, scenario: scenarios.answer }))
        await run(agent, { ...start, prompt: scenario.before }, bins)
      }
      upstream.reset()
      upstream.answers(vendorFor(cast))
      const { output, code } = await run(agent, start, bins, scenario.before ? agent.goesOn : [])
      const last =
        scenario.after && agent.again
          ? await run(agent, { ...start, prompt: scenario.after }, bins, [], true)
          : undefined
      const seconds = (performance.now() - begunMs) / 1000
      const exchanges = tap.take()
      const requests = [...upstream.requests]
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      const turnedAway = exchanges.flatMap(({ status, path, answer }) =>
        status >= 400 && play.scenario !== 'error' ? [`${status} at ${path}: ${answer.slice(0, 300)}`] : [],
      )
      const untried = scenario.isUntried?.(exchanges.map(({ body }) => body))
      const played = { ...play, exchanges, output: output + (last?.output ?? ''), seconds }
      if (untried && refused.length === 0) return { ...played, faults: [], skipped: untried }
      const sent = exchanges.filter(({ method, path }) => method === 'POST' && !isCount({ path })).map(bodyIn)
      const evidence = { agent, requests, sent, output: last?.output ?? output, code: last ? last.code : code }
      const faults = [...new Set([...refused, ...turnedAway, ...scenario.faults(evidence)])]
      const excuse = faults.length === 0 ? scenario.excuse?.(evidence) : undefined
      return excuse === undefined ? { ...played, faults } : { ...played, faults, skipped: excuse }
    },
    async stop() {
      await tap.stop()
      await gateway.stop()
      await upstream.stop()
    },
  }
}

type Cast = Readonly<{
  family: Family
  scenario: Scenario
  agent: Agent
  project: string
  /** The vendor's refusals, in order. */
  refused: string[]
  /** Whether the vendor responds despite a refusal. */
  isLenient: boolean
}>

/** A vendor that plays its part in a scenario and refuses requests that violate its schema. */
function vendorFor({ family, scenario, agent, project, refused, isLenient }: Cast): (request: Recorded) => Script {
  let steps = 0
  return (request) => {
    const vendor = family.vendorOf(request)
    const faults = vendor.faults(request)
    refused.push(...faults.map((fault) => `${family.label}: ${fault}`))
    if (faults.length > 0 && !isLenient) return refusal(vendor, request, faults)
    if (isCount(request)) return vendor.says(request, {})
    const tools = vendor.tools(request)
    const reader = tools.find((name) => agent.reads?.tool.test(name))
    const isOwn = reader !== undefined || !agent.reads
    const turn = {
      request,
      step: steps,
      isAside: !isOwn,
      reader,
      tools,
      agent,
      thinks: vendor.thinks(request),
      project,
    }
    const reply = scenario.reply(turn)
    if (isOwn) steps += 1
    if ('status' in reply) return vendor.refuses(request, reply.status, reply.message)
    return vendor.says(request, reply.said, reply.figures ?? {})
  }
}

/** Whether a request only counts tokens. */
const isCount = ({ path }: Pick<Recorded, 'path'>): boolean => /count_?tokens/i.test(path)

const bodyIn = ({ body }: Exchange) => JSON.parse(body || '{}')

/** Creates a working folder with the files of the scenarios. */
function furnish(home: string) {
  const project = join(home, 'project')
  const picture = join(project, 'flag.png')
  const text = join(home, 'log.txt')
  mkdirSync(project)
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(project, name), content)
  writeFileSync(picture, flag())
  writeFileSync(text, log())
  return { project, picture, text }
}

/** Starts an agent in its own process group and waits for its end, then ends its children. */
async function run(agent: Agent, start: Start, bins: readonly string[], more: readonly string[] = [], isAgain = false) {
  const env = {
    ...onLoopback,
    HOME: start.home,
    USER: 'person',
    TERM: 'dumb',
    NO_COLOR: '1',
    PATH: [...bins, process.env.PATH].join(delimiter),
    ...agent.env(start),
  }
  // From a file, because some programs read only what a pipe already contains.
  const input = join(start.home, 'input.txt')
  writeFileSync(input, start.text ? (agent.input ?? String)(log()) : '')
  const stdin = openSync(input, 'r')
  const args = (isAgain ? agent.again?.(start) : undefined) ?? agent.args(start)
  const child = spawn(agent.command, [...more, ...args], {
    cwd: start.project,
    env,
    detached: true,
    stdio: [stdin, 'pipe', 'pipe'],
  })
  closeSync(stdin)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => output.push(part))
  const over = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      output.push(error.message)
      resolve(null)
    })
  })
  const limit = new AbortController()
  const code = await Promise.race([over, sleep(LIMIT_MS, 'late' as const, { signal: limit.signal })])
  limit.abort()
  endGroup(child.pid)
  if (code === 'late') output.push(`\nstopped after ${LIMIT_MS / 1000} s`)
  return { output: output.join(''), code: code === 'late' ? null : code }
}

/** Blocks external requests: every other address is behind a proxy that does not exist. */
const onLoopback = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
  DO_NOT_TRACK: '1',
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended.
  }
}
