import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runHeadless } from '../../gateway/headless-gateway.ts'
import { gatewayFile } from '../support/headless.ts'

const root = join(import.meta.dirname, '../..')

export type Ended = Readonly<{ code: number | null; signal: NodeJS.Signals | null; out: string; err: string }>

/** A headless gateway in its own process. */
export interface Child {
  readonly pid: number
  /** Its output so far. */
  out(): string
  /** Resolves once it has ended, with its output. */
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
}
export type Listening = Child & Readonly<{ url: string }>

export type Start = Readonly<{
  folder: string
  /** Process settings by environment variable. */
  config?: Record<string, string>
  args?: readonly string[]
  /** Starts the gateway; this Node and `gatewayFile` if absent. */
  command?: readonly string[]
}>

/** The gateway on the pinned Node that runs the tests. */
export const GATEWAY = [process.execPath, gatewayFile] as const

/** Starts a gateway, which never outlives the test. */
export function aProcess({ folder, config = {}, args = [], command = GATEWAY }: Start): Child {
  const [program = '', ...rest] = [...command, ...args]
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...quiet, DATA_DIR: folder, ...config },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [out, err] = [collected(child.stdout), collected(child.stderr)]
  return {
    pid: child.pid ?? 0,
    out,
    ended: endOf(child, out, err),
    kill: (signal) => void child.kill(signal),
  }
}

/** Starts a gateway and waits until it prints its address; throws with its output when it ends instead. */
export async function aChild(start: Start): Promise<Listening> {
  const child = aProcess(start)
  let over: Ended | undefined
  void child.ended.then((ended) => {
    over = ended
  })
  for (;;) {
    const url = /^Switchyard is listening on (\S+)$/m.exec(child.out())?.[1]
    if (url) return { ...child, url }
    if (over) throw new Error(`it ended with ${over.code ?? over.signal}: ${over.err}${over.out}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * A command as `aProcess` runs it, but within this process, which saves a start; `aProcess` is for exit codes and
 * kills.
 */
export async function aCommand({ folder, config = {}, args = [] }: Start): Promise<Ended> {
  const out: string[] = []
  const err: string[] = []
  const code = await runHeadless(
    args,
    { ...quiet, DATA_DIR: folder, ...config },
    { print: (line) => out.push(`${line}\n`), printError: (line) => err.push(`${line}\n`), end: () => {} },
  )
  if (code === undefined) throw new Error(`${args.join(' ')} is no command`)
  return { code, signal: null, out: out.join(''), err: err.join('') }
}

const { PATH = '', SystemRoot = '' } = process.env
const quiet = {
  PATH,
  SystemRoot,
  PORT: '0',
  GLOBAL_API_RATE_LIMIT: '0',
  GLOBAL_WEB_RATE_LIMIT: '0',
  CRITICAL_RATE_LIMIT: '0',
  // Reading them takes a third of a start.
  USE_SYSTEM_CERTIFICATES: 'false',
}

function collected(stream: ChildProcess['stdout']): () => string {
  const parts: Buffer[] = []
  stream?.on('data', (part: Buffer) => parts.push(part))
  return () => Buffer.concat(parts).toString('utf8')
}

async function endOf(child: ChildProcess, out: () => string, err: () => string): Promise<Ended> {
  await once(child, 'close')
  return { code: child.exitCode, signal: child.signalCode, out: out(), err: err() }
}
