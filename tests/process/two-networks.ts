import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The two ends of the link between two networks of this machine. */
export const SERVER = '10.77.0.1'
export const CLIENT = '10.77.0.2'
export const SERVER_6 = 'fd77::1'
export const CLIENT_6 = 'fd77::2'

/** Creates a server and a client network in separate namespaces, with a link between them; then waits. */
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
  /** The start of a command line that runs in the client's network. */
  inClient: readonly string[]
  /** Runs a program in the server's network. */
  spawn(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Gives the client an order; returns its results one by one. */
  client(order: object): { next(): Promise<Record<string, unknown>> }
}>

/** Why two networks cannot be created here; undefined if they can. */
export function whyNoNetworks(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are of Linux'
  const tried = spawnSync('unshare', ['-Urnm', 'sh', '-c', 'ip link add lan0 type veth peer name lan1'], {
    encoding: 'utf8',
  })
  if (tried.status === 0) return undefined
  return `network namespaces are not permitted here: ${tried.error?.message ?? tried.stderr.trim()}`
}

/** Creates the networks; they are removed with all their processes when `atEnd` runs its argument. */
export async function twoNetworks(atEnd: (act: () => void) => void): Promise<Networks> {
  const house = spawn('unshare', ['-Urnm', '--fork', '--pid', '--kill-child', 'sh', '-c', LAY], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => void house.kill('SIGKILL'))
  let errors = ''
  house.stderr.on('data', (part) => {
    errors += part
  })
  const laid = await Promise.race([once(house.stdout, 'data'), once(house, 'exit')])
  if (!String(laid[0]).includes('laid')) throw new Error(`no networks: ${errors}`)
  // The child of `unshare` is the process in the namespaces.
  const inner = spawnSync('sh', ['-c', `cat /proc/${house.pid}/task/${house.pid}/children`], {
    encoding: 'utf8',
  }).stdout.trim()
  const into = ['nsenter', '-t', inner, '-U', '-n', '-m', '--preserve-credentials', '--']
  const begin = (command: readonly string[], env: Readonly<Record<string, string>>) => {
    const [program = '', ...words] = [...into, ...command]
    const child = spawn(program, words, {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    atEnd(() => void child.kill('SIGKILL'))
    return child
  }
  const across = ['ip', 'netns', 'exec', 'client']
  return {
    inClient: [...into, ...across],
    spawn: begin,
    client: aClient(begin([...across, process.execPath, script], {})),
  }
}

/** One process for all orders: starting one takes a second on a busy machine. */
function aClient({ stdin, stdout }: ChildProcess): Networks['client'] {
  if (!stdin || !stdout) throw new Error('the client has no pipes')
  const orders: { told: Record<string, unknown>[]; wake: () => void }[] = []
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, outcome } = JSON.parse(line)
    orders[id]?.told.push(outcome)
    orders[id]?.wake()
  })
  return (order) => {
    const mine = { told: [] as Record<string, unknown>[], wake: () => {} }
    const id = orders.push(mine) - 1
    stdin.write(`${JSON.stringify({ id, order })}\n`)
    return {
      async next() {
        for (;;) {
          const outcome = mine.told.shift()
          if (outcome) return outcome
          await new Promise<void>((resolve) => {
            mine.wake = resolve
          })
        }
      },
    }
  }
}
