import type { MulticastDNS, ResponsePacket } from 'multicast-dns'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import { normalAddress } from '../limits/client-address.ts'
import type { Announced, Announcement } from './announcing.ts'
import { multicastSockets, perSecond } from './multicast-sockets.ts'

type Answers = NonNullable<Extract<ResponsePacket, { answers: unknown }>['answers']>

/** How long others cache an announcement. */
const TTL_SECONDS = 120
/** Responses of one socket per second; further queries are ignored. */
const MAX_PER_SECOND = 20
const DISCOVERY = '_services._dns-sd._udp.local'

type MulticastDeps = Readonly<{
  log: Pick<Logger, 'warn'>
  clock: Clock
  /** Creates the socket of an interface; replaced in tests. */
  open?: (address: string) => MulticastDNS
}>

/**
 * Announces `<name>.local` and its service (RFC 6762, RFC 6763) on each interface with an IPv4 address, with the
 * addresses of that interface only. Gives up a name that another device claims.
 */
export function announceBy(what: Announced, { log, clock, open = multicastSockets(clock) }: MulticastDeps) {
  const name = `${what.name}.local`
  let state: Announcement = { name, state: 'announced', message: '' }
  const sockets: { socket: MulticastDNS; records: Answers }[] = []
  const isOwn = (data: string) => what.addresses.some(({ address }) => address === normalAddress(data))
  const end = (next: Announcement) => {
    if (state.state !== 'announced') return
    log.warn('the shared name is not announced', { name, state: next.state, message: next.message })
    state = next
    close(sockets)
  }
  const fail = (error: unknown) => end({ name, state: 'failed', message: wordOf(error) })
  for (const { address, interface: on } of what.addresses) {
    if (address.includes(':')) continue
    const near = what.addresses.filter((one) => one.interface === on).map((one) => one.address)
    const records = recordsOf(what, near)
    try {
      const socket = open(address)
      sockets.push({ socket, records })
      const mayAnswer = perSecond(clock, MAX_PER_SECOND)
      socket.on('error', fail)
      // A failing interface does not affect the others.
      socket.once('warning', (error) => log.warn('multicast DNS', { address, error })).on('warning', ignore)
      socket.on('query', ({ questions = [] }) => {
        const answers = state.state === 'announced' ? answersTo(questions, records) : []
        if (answers.length > 0 && mayAnswer()) socket.respond({ answers }, ignore)
      })
      socket.on('response', ({ answers = [] }) => {
        // A goodbye is not a claim (RFC 6762 §10.1).
        const isClaim = (one: Answers[number]) =>
          isAddress(one) && one.ttl !== 0 && one.name.toLowerCase() === name && !isOwn(one.data)
        const isClaimed = answers.some(isClaim)
        if (isClaimed) end({ name, state: 'taken', message: '' })
      })
      socket.on('ready', () => {
        socket.query({ questions: [{ name, type: 'A' }] }, ignore)
        socket.respond({ answers: records }, ignore)
      })
    } catch (error) {
      fail(error)
    }
  }
  return { now: () => state, stop: () => (state.state === 'announced' ? closeSockets(sockets) : close(sockets)) }
}

type Sockets = { socket: MulticastDNS; records: Answers }[]

function recordsOf({ name, port, isEncrypted }: Announced, addresses: readonly string[]): Answers {
  const host = `${name}.local`
  const service = isEncrypted ? '_https._tcp.local' : '_http._tcp.local'
  const instance = `${name}.${service}`
  const ttl = TTL_SECONDS
  return [
    ...addresses.map((data) => ({
      name: host,
      type: data.includes(':') ? ('AAAA' as const) : ('A' as const),
      ttl,
      flush: true,
      data,
    })),
    { name: DISCOVERY, type: 'PTR', ttl, data: service },
    { name: service, type: 'PTR', ttl, data: instance },
    { name: instance, type: 'SRV', ttl, flush: true, data: { port, target: host, priority: 0, weight: 0 } },
    // A service must have a TXT record, even if empty (RFC 6763 §6.1).
    { name: instance, type: 'TXT', ttl, flush: true, data: [] },
  ]
}

/** The requested records; for a service, also the records that it leads to. */
function answersTo(questions: readonly Readonly<{ name: string; type: string }>[], records: Answers): Answers {
  const isRequested = ({ name, type }: Readonly<{ name: string; type: string }>) =>
    questions.some((one) => one.name.toLowerCase() === name && (one.type === type || one.type === 'ANY'))
  const requested = records.filter(isRequested)
  const isOfService = requested.some(({ type, name }) => (type === 'PTR' && name !== DISCOVERY) || type === 'SRV')
  return isOfService ? records.filter((record) => record.name !== DISCOVERY || requested.includes(record)) : requested
}

const isAddress = (
  answer: Readonly<{ type: string }>,
): answer is { type: 'A' | 'AAAA'; name: string; data: string; ttl?: number } =>
  answer.type === 'A' || answer.type === 'AAAA'

function closeSockets(sockets: Sockets): void {
  for (const { socket, records } of sockets)
    socket.respond({ answers: records.map((record) => ({ ...record, ttl: 0 })) as Answers }, () =>
      close([{ socket, records }]),
    )
}

function close(sockets: Sockets): void {
  for (const { socket } of sockets) {
    try {
      socket.destroy()
    } catch {
      // An error has already closed it.
    }
  }
}

const ignore = () => {}

const wordOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : String(error)
}
