import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { userInfo } from 'node:os'
import { atFileEnd } from './file-end.ts'
import { aSwitchedAddress } from './switched-address.ts'

/**
 * A network of this test: a bridge that a process in a namespace reaches as a machine on the same switch. Addresses
 * are in 198.18.0.0/15, which is reserved for tests (RFC 2544).
 */
export interface Network {
  /** The address of this process. */
  readonly address: string
  /** Forwards a port of `address` to the same port on loopback; returns its host and port. */
  forward(port: number): Promise<string>
}

/** `taken off` makes calls fail at once; after `pulled` they hang, because the packets are lost. */
export type Cut = 'taken off' | 'pulled'

export interface Machine {
  /** Programs run in the machine if they start with these arguments. */
  readonly prefix: readonly string[]
  /** Its address in a network. */
  address(network: string): string
  cut(network: string, how: Cut): void
  mend(network: string): void
}

const ip = (...args: readonly string[]) => void execFileSync('ip', args, { stdio: 'pipe' })

/** Whether this process may create network namespaces: it needs root and iproute2. */
export function hasMachines(): boolean {
  const name = `sy${randomBytes(4).toString('hex')}`
  try {
    if (userInfo().uid !== 0) return false
    ip('netns', 'add', name)
    ip('netns', 'delete', name)
    return true
  } catch {
    return false
  }
}

/** Networks by their names; they and their machines end with the test file. */
export function someNetworks<const Name extends string>(names: readonly Name[]) {
  const id = randomBytes(3).toString('hex')
  const first = randomInt(0, 200)
  const subnet = (network: string) => `198.18.${first + names.indexOf(network as Name)}`
  const bridge = (network: string) => `sy${id}b${names.indexOf(network as Name)}`
  const networks = {} as Record<Name, Network>
  for (const name of names) {
    ip('link', 'add', bridge(name), 'type', 'bridge')
    atFileEnd(async () => ip('link', 'delete', bridge(name)))
    ip('address', 'add', `${subnet(name)}.1/24`, 'dev', bridge(name))
    ip('link', 'set', bridge(name), 'up')
    const address = `${subnet(name)}.1`
    const forward = async (port: number) => {
      await aSwitchedAddress(port, { host: address, port })
      return `${address}:${port}`
    }
    networks[name] = { address, forward }
  }
  let machines = 0
  return {
    networks,
    machine(): Machine {
      machines += 1
      const number = machines + 1
      const space = `sy${id}m${number}`
      const port = (network: string) => `${bridge(network)}p${number}`
      const inside = (...args: readonly string[]) => ip('-n', space, ...args)
      ip('netns', 'add', space)
      atFileEnd(async () => ip('netns', 'delete', space))
      inside('link', 'set', 'lo', 'up')
      for (const name of names) {
        ip('link', 'add', port(name), 'type', 'veth', 'peer', 'name', name, 'netns', space)
        ip('link', 'set', port(name), 'master', bridge(name), 'up')
        inside('address', 'add', `${subnet(name)}.${number}/24`, 'dev', name)
        inside('link', 'set', name, 'up')
      }
      return {
        prefix: ['ip', 'netns', 'exec', space],
        address: (network) => `${subnet(network)}.${number}`,
        cut(network, how) {
          if (how === 'pulled') ip('link', 'set', port(network), 'down')
          else inside('link', 'set', network, 'down')
        },
        mend(network) {
          ip('link', 'set', port(network), 'up')
          inside('link', 'set', network, 'up')
        },
      }
    },
  }
}
