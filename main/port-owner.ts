import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a system command and returns its output; rejects if the command does not exist, fails or takes too long. */
export type RunTool = (file: string, args: readonly string[]) => Promise<string>

const WAIT_MS = 3000
const MAX_NAME = 60

const runTool: RunTool = async (file, args) =>
  (await promisify(execFile)(file, [...args], { timeout: WAIT_MS, windowsHide: true })).stdout

/**
 * The program that listens on a port of this machine, with its process id, such as `node (4711)`; undefined if the
 * system does not report it, which is usual for other users' programs.
 */
export async function portOwner(
  port: number,
  platform: NodeJS.Platform = process.platform,
  run: RunTool = runTool,
): Promise<string | undefined> {
  try {
    if (platform === 'linux') return ownerInProc(port)
    if (platform === 'win32') return await ownerOnWindows(port, run)
    return ownerInLsof(await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']))
  } catch {
    // The command does not exist or found nothing, or a file cannot be read.
    return undefined
  }
}

const named = (name: string, pid: string | number): string => `${name.slice(0, MAX_NAME)} (${pid})`

/** `lsof -F`: a line per field, `p` for the process and `c` for its command. */
function ownerInLsof(text: string): string | undefined {
  const [, pid] = /^p(\d+)$/m.exec(text) ?? []
  const [, name] = /^c(.+)$/m.exec(text) ?? []
  return pid && name && named(name, pid)
}

/** `netstat -ano` has the process, `tasklist` its name; their columns are the same in every language. */
async function ownerOnWindows(port: number, run: RunTool): Promise<string | undefined> {
  const connections = await run('netstat', ['-ano', '-p', 'tcp'])
  const line = new RegExp(`^\\s*TCP\\s+\\S+:${port}\\s+\\S+:0\\s+\\S+\\s+(\\d+)\\s*$`, 'm')
  const pid = line.exec(connections)?.[1]
  if (!pid) return undefined
  const tasks = await run('tasklist', ['/fi', `PID eq ${pid}`, '/fo', 'csv', '/nh'])
  const name = /^"([^"]+)"/m.exec(tasks)?.[1]
  return name && named(name, pid)
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = '0A'

/** The kernel's table lists the socket; the process folders show which process has it open (proc(5)). */
function ownerInProc(port: number): string | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
  const columns = rows.map((row) => row.trim().split(/\s+/))
  const sockets = new Set(
    columns.filter((row) => row[1]?.endsWith(`:${hex}`) && row[3] === LISTENING).map((row) => `socket:[${row[9]}]`),
  )
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && ownsSocket(join('/proc', name, 'fd'), sockets))
  return pid && named(readFileSync(join('/proc', pid, 'comm'), 'utf8').trim(), pid)
}

function ownsSocket(folder: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(folder).some((name) => sockets.has(readlinkSync(join(folder, name))))
  } catch {
    // Another user's process, or one that has ended meanwhile.
    return false
  }
}
