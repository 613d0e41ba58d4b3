import { join } from 'node:path'
import type { Figures, Said } from '../support/said.ts'
import type { Recorded } from '../support/upstream.ts'
import { asksForSummary, SUMMARY_NAME } from './asks-for-summary.ts'
import { changesIn, type Json } from './growth.ts'
import type { Agent, Start } from './programs.ts'

/** Files in the folder that agents work in. */
export const FILES = {
  'notes.txt': 'The harbour opens at dawn-7319.\n',
  'tides.txt': 'High water stands at noon-2846.\n',
  'chart.txt': 'The harbour opens at dawn-7319. Buoys lie north and east of the pier.\n'.repeat(950),
} as const

/** The vendor's last words, which the user must see. */
export const LAST_WORDS = 'All is well at pier-5150.'
/** A summary with the marks that agents require. */
const SUMMARY = `<summary><state_snapshot>So far we have spoken of the ${SUMMARY_NAME}.</state_snapshot></summary>`
/** Usage that fills every window. */
const FULL = { prompt: 990_000, completion: 100 }
/** The vendor's message when it refuses. */
export const REFUSAL = 'The harbour is closed for repairs until further notice'

export type Reply = Readonly<{ said: Said; figures?: Figures }> | Readonly<{ status: number; message: string }>

/** A request at the vendor, with its relevant properties. */
export type Turn = Readonly<{
  request: Recorded
  /** How many requests of the agent's main loop came before this one. */
  step: number
  /** Whether the request is outside the agent's main loop, for example one for a title. */
  isAside: boolean
  /** The agent's tool for reading files, by the name that the vendor receives. */
  reader: string | undefined
  tools: readonly string[]
  agent: Agent
  /** Whether the vendor would think before it responds. */
  thinks: boolean
  project: string
}>

/** The traces of a run. */
export type Evidence = Readonly<{
  agent: Agent
  requests: readonly Recorded[]
  output: string
  code: number | null
  /** The agent's requests, in its own dialect. */
  sent: readonly Json[]
}>

/** A typical use of agents. */
export type Scenario = Readonly<{
  label: string
  /** The entry of `cannot` that, if an agent has it, says why the scenario does not apply. */
  needs?: keyof NonNullable<Agent['cannot']>
  /** An earlier prompt of the same conversation. */
  before?: string
  /** A prompt that continues the same conversation in another mode, for agents that can. */
  after?: string
  asks(place: Place, agent: Agent): Partial<Start>
  reply(turn: Turn): Reply
  /** Why a run proves nothing about the gateway, judging by the bodies that the agent sent. */
  isUntried?(sent: readonly string[]): string | undefined
  /** Faults of a run other than the vendor's refusals. */
  faults(evidence: Evidence): readonly string[]
  /** What even a faultless run leaves unproven. */
  excuse?(evidence: Evidence): string | undefined
}>

/** The paths of a run's files. */
export type Place = Readonly<{ project: string; picture: string; text: string }>

const PROMPT = 'Read notes.txt and tides.txt and tell me when the harbour opens.'
const said = (text: string): Reply => ({ said: { texts: [text.slice(0, 5), text.slice(5)] } })
const held = (holds: boolean, says: string): string[] => (holds ? [] : [says])
const sees = (requests: readonly Recorded[], text: string): boolean => requests.some((one) => one.text.includes(text))
const endedWell = ({ output, code }: Evidence): string[] => [
  ...held(output.includes('pier-5150'), 'the answer is not shown'),
  ...held(code === 0, `it ended with ${code}`),
]

/** An image in any dialect. */
/** The text in place of an image, for a model without vision. */
const LEFT_OUT = /An image was here/
const PICTURE = /image\/(png|jpeg|webp)/

/** Calls of the agent's tool for files, in parallel. */
function reading({ agent, reader = '', thinks, project, step }: Turn, files: readonly string[]): Said {
  const input = agent.reads?.input ?? (() => ({}))
  return {
    ...(thinks ? { thoughts: 'The files will tell.' } : {}),
    texts: ['Let me ', 'look.'],
    calls: files.map((file, index) => ({
      id: `call_${step}0${index + 1}`,
      name: reader,
      arguments: input(file.startsWith('/') ? file : `${project}/${file}`),
    })),
  }
}

const measuring = (name: string) => ({ id: 'call_003', name, arguments: { place: 'pier' } })

/** Agents that defer tools have a search tool for them, and may have one that calls the found tools. */
function searching({ tools, step, request }: Turn) {
  const [found] = /mcp_+harbour_+measure_depth/.exec(request.text) ?? []
  if (found && tools.includes('tool_call'))
    return { id: 'call_003', name: 'tool_call', arguments: { name: found, arguments: { place: 'pier' } } }
  const name = tools.find((one) => /tool_?search/i.test(one)) ?? 'tool_search'
  return {
    id: `call_1${step}`,
    name,
    arguments: { query: name === 'ToolSearch' ? 'select:mcp__harbour__measure_depth' : 'measure depth' },
  }
}

/** Tool turns before the change of mode, and after it. */
const HALF = 5

/** All scenarios, in the order of the table. */
export const scenarios = {
  answer: {
    label: 'answer',
    asks: () => ({ prompt: 'Is all well? Answer in one sentence.' }),
    reply: () => said(LAST_WORDS),
    faults: endedWell,
  },
  tools: {
    label: 'tool loop',
    needs: 'tools',
    asks: () => ({ prompt: PROMPT }),
    reply: (turn) => {
      if (turn.isAside) return said('Harbour')
      return turn.step === 0 ? { said: reading(turn, ['notes.txt', 'tides.txt']) } : said(LAST_WORDS)
    },
    faults: (evidence) => [
      ...held(sees(evidence.requests, 'dawn-7319'), 'the first result did not come back'),
      ...held(sees(evidence.requests, 'noon-2846'), 'the second result did not come back'),
      ...endedWell(evidence),
    ],
  },
  turns: {
    label: 'ten turns',
    needs: 'tools',
    after: 'And when is high water?',
    asks: () => ({ prompt: PROMPT }),
    reply: (turn) => {
      if (turn.isAside) return said('Harbour')
      const isSaid = turn.step === HALF || turn.step > 2 * HALF
      return isSaid ? said(LAST_WORDS) : { said: reading(turn, [turn.step % 2 === 0 ? 'notes.txt' : 'tides.txt']) }
    },
    faults: (evidence) => [
      ...held(evidence.requests.length > (evidence.agent.again ? 2 * HALF : HALF), 'it did not take all turns'),
      ...changesIn(evidence),
      ...endedWell(evidence),
    ],
  },
  servers: {
    label: 'MCP tools',
    needs: 'servers',
    asks: () => ({
      prompt: 'How deep is the water at the pier? Measure it.',
      server: { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.mjs')] },
    }),
    reply: (turn) => {
      if (turn.isAside) return said('Depth')
      const measure = turn.tools.find((name) => name.endsWith('measure_depth'))
      if (turn.request.text.includes('fathoms-6640') || turn.step > 4) return said(LAST_WORDS)
      const thoughts = turn.thinks ? { thoughts: 'The lead will tell.' } : {}
      const call = measure ? measuring(measure) : searching(turn)
      return { said: { ...thoughts, texts: ['Let me measure.'], calls: [call] } }
    },
    faults: (evidence) => [
      ...held(sees(evidence.requests, 'fathoms-6640'), 'the result did not come back'),
      ...endedWell(evidence),
    ],
  },
  images: {
    label: 'images',
    needs: 'images',
    asks: ({ picture }, agent) =>
      agent.picturesByTool ? { prompt: `Look at ${picture}. What is on it?` } : { prompt: 'What is on it?', picture },
    reply: (turn) => {
      if (turn.step === 0 && !turn.isAside && turn.agent.picturesByTool)
        return { said: reading(turn, [`${turn.project}/flag.png`]) }
      return said(turn.isAside ? 'A flag' : LAST_WORDS)
    },
    isUntried: (sent) => {
      if (sent.some((body) => PICTURE.test(body))) return undefined
      return 'it sends no pictures to models that it does not know to see'
    },
    faults: (evidence) => [
      ...held(
        evidence.requests.some(({ text }) => PICTURE.test(text) || LEFT_OUT.test(text)),
        'no picture came',
      ),
      ...endedWell(evidence),
    ],
    excuse: ({ requests }) =>
      requests.some(({ text }) => LEFT_OUT.test(text))
        ? 'The model sees no pictures: it is told that there was one, and the agent goes on'
        : undefined,
  },
  long: {
    label: 'long context',
    needs: 'long',
    asks: ({ text }) => ({ prompt: 'What do the first and the last line say?', text }),
    reply: ({ isAside }) => said(isAside ? 'A log' : LAST_WORDS),
    faults: (evidence) => [
      ...held(sees(evidence.requests, 'first-line-4401'), 'the beginning did not come'),
      ...held(sees(evidence.requests, 'last-line-4402'), 'the end did not come'),
      ...endedWell(evidence),
    ],
  },
  compaction: {
    label: 'compaction',
    needs: 'compaction',
    before: 'Is all well? Answer in one sentence.',
    asks: (_, { window = 100_000 }) => ({ prompt: 'Read chart.txt and tell me when the harbour opens.', window }),
    reply: (turn) => {
      if (turn.step > 0 && asksForSummary(turn.request.json)) return { said: { texts: [SUMMARY] }, figures: FULL }
      if (turn.isAside) return said('Harbour')
      return turn.step === 0 ? { said: reading(turn, ['chart.txt']), figures: FULL } : said(LAST_WORDS)
    },
    faults: (evidence) => [
      ...held(
        evidence.requests.slice(1).some(({ json }) => asksForSummary(json)),
        'it asked for no summary',
      ),
      ...held(sees(evidence.requests, SUMMARY_NAME), 'the summary did not come back'),
      ...endedWell(evidence),
    ],
  },
  error: {
    label: 'error',
    asks: () => ({ prompt: 'Is all well? Answer in one sentence.' }),
    reply: () => ({ status: 400, message: REFUSAL }),
    faults: ({ output }) => held(output.includes('closed for repairs'), 'the vendor’s sentence is not shown'),
  },
} as const satisfies Record<string, Scenario>
export type ScenarioName = keyof typeof scenarios
