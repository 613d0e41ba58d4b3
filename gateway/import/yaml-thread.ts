import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { parse } from 'yaml'

/** What a text of YAML holds, or why it was not read: `line` where it is none, or repeats or nests itself beyond measure. */
type ReadYaml = Readonly<{ value: unknown } | { line: number } | { isSlow: true }>

type Ask = Readonly<{ role: string; text: string }>

const ROLE = 'yaml'
const MEGABYTES = 256
/** The reader of YAML takes seconds for what may be sent. */
const MAX_MS = 30_000
/** How often a part of the file may be repeated by its name. */
const MAX_ALIASES = 100
const DEEPEST = 40
/** Values and names of what is read, each as often as it is repeated: it is handed over at once. */
const MAX_VALUES = 200_000

/**
 * Reads YAML on a thread of its own, within bounds of time and memory. It runs this very file, so this module must be
 * imported dynamically only.
 */
export async function readYaml(text: string): Promise<ReadYaml> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, text } satisfies Ask,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const limit = Promise.withResolvers<ReadYaml>()
  const timer = setTimeout(() => limit.resolve({ isSlow: true }), MAX_MS)
  const answer = new Promise<ReadYaml>((resolve) => {
    // Only `serve` below sends anything.
    worker.once('message', (read: ReadYaml) => resolve(read))
    worker.once('error', () => resolve({ isSlow: true }))
    worker.once('exit', () => resolve({ isSlow: true }))
  })
  try {
    return await Promise.race([answer, limit.promise])
  } finally {
    clearTimeout(timer)
    void worker.terminate()
  }
}

function serve(port: MessagePort, text: string): void {
  port.postMessage(read(text))
}

function read(text: string): ReadYaml {
  if (isDeep(text)) return { line: 1 }
  try {
    const value: unknown = parse(text, {
      maxAliasCount: MAX_ALIASES,
      merge: true,
      prettyErrors: true,
      logLevel: 'error',
    })
    return countUpTo(value, MAX_VALUES) > MAX_VALUES ? { line: 1 } : { value }
  } catch (cause) {
    return { line: lineOf(cause) }
  }
}

/** Brackets, and lists within lists on one line, that nest deeper than anybody writes them: a reader calls itself for each. */
function isDeep(text: string): boolean {
  let depth = 0
  let deepest = 0
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  const indented = /^ *(?:[-?:] +){40}/m.test(text) || new RegExp(`^ {${DEEPEST * 8}}`, 'm').test(text)
  return deepest > DEEPEST || indented
}

/** How many values and names there are, counted no further than one beyond `most`. */
function countUpTo(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const member of Object.values(value)) {
    count += 1 + countUpTo(member, max - count)
    if (count > max) return max + 1
  }
  return count
}

function lineOf(cause: unknown): number {
  const places = cause instanceof Error && 'linePos' in cause ? cause.linePos : undefined
  const [first]: unknown[] = Array.isArray(places) ? places : []
  const line = typeof first === 'object' && first !== null && 'line' in first ? first.line : undefined
  return typeof line === 'number' ? line : 1
}

// What a thread was started with is unknown to the compiler; only `readYaml` sets this role.
const task = workerData as Ask | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.text)
