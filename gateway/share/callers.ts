import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../base/clock.ts'

type NotedCall = Readonly<{ from: string; on: string; agent: string }>

type CallingDevice = Readonly<{ address: string; at: number; requests: number; agent: string }>

/** Callers at shared addresses since the start; in memory only. */
export interface Callers {
  /** Ignores calls of this machine, which do not show who can connect. */
  note(call: NotedCall): void
  devices(): readonly CallingDevice[]
  seenOn(address: string): Readonly<{ from: string; at: number }> | undefined
}

const MAX = 100
const MAX_AGENT_LENGTH = 200

export function createCallers({ clock }: Readonly<{ clock: Clock }>): Callers {
  const devices = new LRUCache<string, CallingDevice>({ max: MAX })
  const seen = new LRUCache<string, { from: string; at: number }>({ max: MAX })
  return {
    note({ from, on, agent }) {
      if (from === on || from === '') return
      const at = unixSeconds(clock)
      const requests = (devices.peek(from)?.requests ?? 0) + 1
      devices.set(from, { address: from, at, requests, agent: agent.slice(0, MAX_AGENT_LENGTH) })
      seen.set(on, { from, at })
    },
    devices: () => [...devices.values()],
    seenOn: (address) => seen.peek(address),
  }
}
