import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { clientFamily } from '../../channels/health/client-usage.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'

/** A caller at an address with one key, or with the session of an account (token id 0). Times are unix seconds. */
type KnownDevice = Readonly<{
  ip: string
  userId: number
  username: string
  tokenId: number
  /** Empty for a session. */
  tokenName: string
  /** Client family of the last call. */
  client: string
  lastAt: number
  /** Since midnight in the gateway's time zone. */
  callsToday: number
}>

/** Recent callers from other devices (docs/reference/share-people.md#devices); in memory only, bounded. */
export interface Devices {
  /** Records a relayed call; ignores those of this machine. */
  note(context: Pick<RequestContext, 'ip' | 'userAgent' | 'at'>, caller: Caller): void
  /** Records a call from the console; ignores those of this machine. */
  noteSession(
    call: Readonly<{ ip: string; userAgent: string }>,
    account: Pick<Caller['account'], 'id' | 'username'>,
  ): void
  /** The latest caller comes first. */
  list(): KnownDevice[]
}

const MAX = 256

type Entry = Omit<KnownDevice, 'client' | 'callsToday' | 'lastAt' | 'tokenName'> & {
  tokenName: string
  userAgent: string
  lastAt: number
  day: number
  calls: number
}

/** Entries are changed in place, since every call changes one. */
export function createDevices(clock: Clock): Devices {
  const known = new LRUCache<string, Entry>({ max: MAX })
  let midnight = 0
  const dayOf = (at: number): number => {
    if (at >= midnight) midnight = nextMidnight(at)
    return midnight
  }
  const count = (entry: Entry, at: number, userAgent: string) => {
    const day = dayOf(at)
    entry.calls = entry.day === day ? entry.calls + 1 : 1
    entry.day = day
    entry.lastAt = at
    entry.userAgent = userAgent.slice(0, 200)
  }
  const entryOf = (ip: string, { id, username }: Pick<Caller['account'], 'id' | 'username'>, tokenId: number) => {
    const key = `${ip} ${id} ${tokenId}`
    const found = known.get(key)
    if (found) return found
    const entry: Entry = {
      ip,
      userId: id,
      username,
      tokenId,
      tokenName: '',
      userAgent: '',
      lastAt: 0,
      day: 0,
      calls: 0,
    }
    known.set(key, entry)
    return entry
  }
  return {
    note({ ip, userAgent, at }, { account, tokenId, tokenName }) {
      if (isThisMachine(ip)) return
      const entry = entryOf(ip, account, tokenId)
      entry.tokenName = tokenId === 0 ? '' : tokenName
      count(entry, at, userAgent)
    },
    noteSession({ ip, userAgent }, account) {
      if (!isThisMachine(ip)) count(entryOf(ip, account, 0), unixSeconds(clock), userAgent)
    },
    list() {
      const today = dayOf(unixSeconds(clock))
      return [...known.values()].map(({ userAgent, day, calls, ...entry }) => ({
        ...entry,
        client: clientFamily(userAgent),
        callsToday: day === today ? calls : 0,
      }))
    },
  }
}

/** Cheap, since it runs on every call. */
const isThisMachine = (ip: string): boolean => ip === '' || ip === '::1' || ip.startsWith('127.')

/** Returns the next midnight in the gateway's time zone. */
function nextMidnight(at: number): number {
  const day = new Date(at * 1000)
  day.setHours(24, 0, 0, 0)
  return day.getTime() / 1000
}
