import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** The two ends of the cable between two networks of this machine. */
export const SERVER = '10.77.0.1'
export const CLIENT = '10.77.0.2'
export const SERVER_6 = 'fd77::1'
export const CLIENT_6 = 'fd77::2'

/** Makes, in namespaces of their own, a network for a server and one for a client with a cable between them; then waits. */
const LAY = `
set -e
mount -t tmpfs none /run
mkdir -p /run/netns
ip netns add client
ip link add lan0 type veth peer name lan1
ip link set lan1 netns client
ip addr add ${SERVER}/24 dev lan0
ip addr add ${SERVER_6}/64 dev lan0 nodad
ip link set lo up
ip link set lan0 up
ip netns exec client ip addr add ${CLIENT}/24 dev lan1
ip netns exec client ip addr add ${CLIENT_6}/64 dev lan1 nodad
ip netns exec client ip link set lan1 up
ip netns exec client ip link set lo up
echo laid
exec sleep 600
`
const script = join(import.meta.dirname, 'network-client.mjs')

export type Networks = Readonly<{
  /** Runs a program beside the server. */
  spawn(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Has the client do something; what it prints, line by line. */
  client(order: object): { lines: AsyncIterableIterator<string>; ended: Promise<unknown> }
}>

/** Why two networks cannot be made here; undefined where they can. */
export function whyNoNetworks(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are of Linux'
  const tried = spawnSync('unshare', ['-Urnm', 'sh', '-c', 'ip link add lan0 type veth peer name lan1'], {
    encoding: 'utf8',
  })
  if (tried.status === 0) return undefined
  return `network namespaces are not permitted here: ${tried.error?.message ?? tried.stderr.trim()}`
}

/** They go with the test, and with all that runs in them. */
export async function twoNetworks(): Promise<Networks> {
  const house = spawn('unshare', ['-Urnm', '--fork', '--pid', '--kill-child', 'sh', '-c', LAY], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void house.kill('SIGKILL'))
  let errors = ''
  house.stderr.on('data', (part) => {
    errors += part
  })
  const laid = await Promise.race([once(house.stdout, 'data'), once(house, 'exit')])
  if (!String(laid[0]).includes('laid')) throw new Error(`no networks: ${errors}`)
  // Its child has the namespaces; the shell has become that.
  const inner = spawnSync('sh', ['-c', `cat /proc/${house.pid}/task/${house.pid}/children`], {
    encoding: 'utf8',
  }).stdout.trim()
  const into = ['-t', inner, '-U', '-n', '-m', '--preserve-credentials', '--']
  const begin = (command: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = spawn('nsenter', [...into, ...command], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  return {
    spawn: begin,
    client(order) {
      const child = begin(['ip', 'netns', 'exec', 'client', process.execPath, script, JSON.stringify(order)], {})
      return {
        lines: createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })[Symbol.asyncIterator](),
        ended: once(child, 'exit'),
      }
    },
  }
}
