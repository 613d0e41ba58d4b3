import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { parse } from 'yaml'

/**
 * The value of a YAML text, or why it was not read: the `line` of a syntax error, or of excessive aliases or nesting;
 * `isSlow` if the time or the memory was exceeded.
 */
type ReadYaml = Readonly<{ value: unknown } | { line: number } | { isSlow: true }>

type Task = Readonly<{ role: string; text: string }>

const ROLE = 'yaml'
const MEGABYTES = 256
/** Max time of the YAML parser, which takes seconds for the largest files allowed. */
const MAX_MS = 30_000
const MAX_ALIASES = 100
const MAX_DEPTH = 40
/** Max values and names in the result, counting aliases each time: it is transferred in one message. */
const MAX_VALUES = 200_000

/**
 * Parses YAML on a separate thread, with limits on time and memory. The thread runs this file, so this module must only
 * be imported dynamically.
 */
export async function readYaml(text: string): Promise<ReadYaml> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, text } satisfies Task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const limit = Promise.withResolvers<ReadYaml>()
  const timer = setTimeout(() => limit.resolve({ isSlow: true }), MAX_MS)
  const result = new Promise<ReadYaml>((resolve) => {
    // Only `serve` below sends messages.
    worker.once('message', (read: ReadYaml) => resolve(read))
    worker.once('error', () => resolve({ isSlow: true }))
    worker.once('exit', () => resolve({ isSlow: true }))
  })
  try {
    return await Promise.race([result, limit.promise])
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

/**
 * Whether brackets, indented blocks, or lists within lists on one line nest too deeply: the parser recurses for each.
 */
function isDeep(text: string): boolean {
  let depth = 0
  let deepest = 0
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  const indented = /^ *(?:[-?:] +){40}/m.test(text) || new RegExp(`^ {${MAX_DEPTH * 8}}`, 'm').test(text)
  return deepest > MAX_DEPTH || indented
}

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
  const positions = cause instanceof Error && 'linePos' in cause ? cause.linePos : undefined
  const [first]: unknown[] = Array.isArray(positions) ? positions : []
  const line = typeof first === 'object' && first !== null && 'line' in first ? first.line : undefined
  return typeof line === 'number' ? line : 1
}

// The type of `workerData` is unknown to the compiler; only `readYaml` sets this role.
const task = workerData as Task | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.text)
