import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Job } from './load.ts'
import type { Figures } from './tally.ts'

/** The folder of the tree this bench belongs to. */
export const root = dirname(import.meta.dirname)

/** A process of the bench: its address, the pid to measure, how to stop it. */
export interface Running {
  url: string
  pid: number
  /** Sends SIGTERM and waits; kills it after ten seconds. */
  stop(): Promise<void>
}

/**
 * The core a process runs on: the process under test has one to itself, upstream and load generator share the other;
 * `free` takes either.
 */
export type Role = 'test' | 'load' | 'free'

/** The cores of each role; undefined where `taskset` is missing or there is only one core. */
export const cores = findCores()

const leftovers = new Set<() => void>()
process.once('exit', () => {
  for (const step of leftovers) step()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a listener of the bench (it prints its address) and waits until it listens. */
export async function startListener(file: string, role: Role, ...args: string[]): Promise<Running> {
  const child = startNode([join(import.meta.dirname, file), ...args], role, { cwd: root, env: process.env })
  for await (const line of child.stdout ?? []) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0]
    if (url) return { url, pid: child.pid ?? 0, stop: () => stop(child) }
  }
  throw new Error(`bench/${file} ended before it listened`)
}

/** Runs the load generator once and returns its figures. */
export async function runLoad(job: Job): Promise<Figures> {
  const child = startNode([join(import.meta.dirname, 'load.ts'), JSON.stringify(job)], 'load', {
    cwd: root,
    env: process.env,
  })
  const parts: string[] = []
  child.stdout?.on('data', (part) => parts.push(String(part)))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the load generator ended with code ${code}`)
  return JSON.parse(parts.join(''))
}

/** Starts Node on the core of a role. Its stderr is inherited; its stdout is a pipe that the caller must read. */
export function startNode(args: string[], role: Role, options: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  const pinned = cores ? ['taskset', '-c', cores[role], process.execPath] : [process.execPath]
  const [command = process.execPath, ...rest] = [...pinned, ...args]
  const child = spawn(command, rest, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = atExit(() => child.kill('SIGKILL'))
  child.once('exit', () => leftovers.delete(end))
  return child
}

/** Registers a cleanup step for the end of this process, however it ends. Each step must be safe to repeat. */
export function atExit(step: () => void) {
  leftovers.add(step)
  return step
}

/** Sends SIGTERM and waits; kills the child after ten seconds. */
export async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1')
  return address.port
}

/** Moves this process, and every child that is not pinned, off the core under test. */
export function leaveTestCore() {
  if (cores) execFileSync('taskset', ['-cp', cores.load, String(process.pid)], { stdio: 'ignore' })
}

/** The first two cores this process may use; a container need not have cores 0 and 1. */
function findCores(): Record<Role, string> | undefined {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    const list = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? ''
    const [test, load] = list.split(',').flatMap(expandRange)
    return test && load ? { test, load, free: `${test},${load}` } : undefined
  } catch {
    return undefined // not Linux, or no taskset: the report says that nothing was pinned
  }
}

/** `2-5` as `2`, `3`, `4`, `5`. */
function expandRange(range: string): string[] {
  const [from = 0, to = from] = range.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}
