import type { Load } from './load.ts'

/** A case: the load, and the figures the report prints for it. */
export interface Case extends Load {
  shows: string[]
  /** For gateways only: the case tests billing, not speed. */
  isGatewayOnly?: boolean
}

const closed = { mode: 'closed', warmSeconds: 1, seconds: 4 } as const
/** For the first case of its kind: V8 needs three to four seconds of this load to compile the hot code. */
const fresh = { ...closed, warmSeconds: 4 } as const
const json = [{ model: 'bench-json' }]

/**
 * The cases of docs/reference/performance.md#targets in the order they run. `hold1000` comes first: memory per stream
 * can only be measured in a process that has not grown yet. `faults` mixes aborted, refused and broken calls in before
 * billing is checked.
 */
export const cases = {
  hold1000: {
    mode: 'hold',
    asks: [{ model: 'bench-stream-8-1000' }],
    connections: 1000,
    warmSeconds: 0.5,
    seconds: 9,
    shows: ['mostOpen', 'kbPerStream', 'rssPeakMb', 'incomplete'],
  },
  json: { ...fresh, asks: json, connections: 32, shows: ['rps', 'cpuPerRequest', 'errors'] },
  json1: { ...closed, asks: json, connections: 1, seconds: 3, shows: ['p50', 'p99'] },
  rate500: {
    mode: 'open',
    asks: json,
    rate: 500,
    warmSeconds: 1,
    seconds: 6,
    shows: ['p50', 'p99', 'lateSends', 'cpuPerRequest'],
  },
  stream20: {
    ...fresh,
    asks: [{ model: 'bench-stream-20' }],
    connections: 16,
    shows: ['streamsPerSecond', 'cpuPerRequest', 'incomplete'],
  },
  stream200: {
    ...closed,
    asks: [{ model: 'bench-stream-200' }],
    connections: 16,
    shows: ['eventsPerSecond', 'cpuPerEvent', 'incomplete'],
  },
  paced: {
    ...closed,
    asks: [{ model: 'bench-stream-40-25' }],
    connections: 100,
    spreadMs: 25,
    seconds: 5,
    shows: ['ttftP50', 'ttftP99', 'delayP50', 'delayP99', 'cpuPerEvent', 'incomplete'],
  },
  json100k: {
    ...closed,
    asks: [{ model: 'bench-json', promptBytes: 100_000 }],
    connections: 8,
    shows: ['rps', 'cpuPerRequest', 'errors'],
  },
  faults: {
    ...closed,
    asks: [
      { model: 'bench-json' },
      { model: 'bench-stream-20-5', hangUpAfter: 3 },
      { model: 'bench-cut-10' },
      { model: 'bench-refuse-500' },
      { model: 'bench-stream-20' },
    ],
    connections: 8,
    seconds: 2,
    isGatewayOnly: true,
    shows: ['answers', 'errors', 'incomplete'],
  },
} satisfies Record<string, Case>

/** Values of `--only`: a case, or the restart that measures start-up. */
export const caseNames = [...Object.keys(cases), 'start']
