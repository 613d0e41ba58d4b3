import { isIP } from 'node:net'
import type { closedReasons } from '../../shared/api/share.ts'
import type { ShareSettings } from '../../shared/share/share-settings.ts'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import { urlAt } from '../base/network/own-urls.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { type Ranges, ranges } from '../limits/client-address.ts'
import type { Announcement } from './announcing.ts'
import type { Certificate, Certificates } from './certificates.ts'
import { byFamily, type LookForAddresses, type OwnAddress, sharedAddresses } from './interfaces.ts'
import type { LanListeners } from './lan-listeners.ts'
import type { Ready } from './readiness.ts'
import type { ShareFile } from './share-file.ts'

export type ClosedReason = (typeof closedReasons)[number]

/** The state of an address to be shared. `message` is the system's error message. */
export type SharedListener = Readonly<{
  own: OwnAddress
  isOpen: boolean
  reason: ClosedReason | undefined
  message: string
}>

/** Creates the server of a shared port, over TLS if there is a certificate. */
export type MakeLanServer = (
  options: Readonly<{ port: number; tls: Certificate | undefined; isAllowed: (address: string) => boolean }>,
) => LanListeners & {
  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void
}

/** The addresses that are open, and why the others are not. */
type Now = {
  door: ReturnType<MakeLanServer> | undefined
  port: number
  isEncrypted: boolean
  certificates: Certificates | undefined
  certificate: Certificate | undefined
  reason: ClosedReason | undefined
  message: string
  listeners: readonly SharedListener[]
}
const nothing = {
  door: undefined,
  port: 0,
  isEncrypted: false,
  certificate: undefined,
  reason: undefined,
  message: '',
  listeners: [],
}

export const noneOpen: Now = { ...nothing, certificates: undefined }

export function closed(now: Now, reason?: ClosedReason, message = ''): Now {
  now.door?.destroy()
  return { ...nothing, certificates: now.certificates, reason, message }
}

export function allowedBy({ allowed, blocked }: ShareSettings): Ranges {
  const isAllowed: Ranges = allowed.length === 0 ? () => true : ranges(allowed)
  const isBlocked = ranges(blocked)
  return (address) => isAllowed(address) && !isBlocked(address)
}

type OpeningDeps = Readonly<{
  vault: Pick<Vault, 'seal' | 'open'>
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  file: ShareFile
  ready: () => Promise<Ready>
  machine: LookForAddresses
  makeLanServer: MakeLanServer
  port: () => number
}>

/** Opens what the settings request, as far as possible now. */
export function createOpening({ vault, clock, log, file, ready, machine, makeLanServer, port }: OpeningDeps) {
  const certified = async (now: Now, names: readonly string[]): Promise<Pick<Now, 'certificates' | 'certificate'>> => {
    const certificates =
      now.certificates ?? (await (await import('./certificates.ts')).openCertificates({ file, vault, clock }))
    return { certificates, certificate: await certificates.for(names) }
  }
  const openAll = async (door: LanListeners, addresses: readonly OwnAddress[], present: ReadonlySet<string>) => {
    const listeners: SharedListener[] = []
    for (const own of addresses) {
      const isOpen = door.addresses().includes(own.address)
      if (!present.has(own.address)) {
        door.close(own.address)
        listeners.push({ own, isOpen: false, reason: 'address_gone', message: '' })
      } else listeners.push(isOpen ? { own, isOpen, reason: undefined, message: '' } : await opened(door, own))
    }
    return listeners
  }
  return async (now: Now, settings: ShareSettings): Promise<Now> => {
    if (!settings.on) return closed(now)
    const found = await ready()
    const { refused } = found
    if (refused) return closed(now, refused === 'not_set_up' ? 'not_set_up' : 'password')
    file.note(found.proven)
    const present = machine()
    const addresses = wantedOf(settings, present, file.chosen())
    const isEncrypted = settings.is_encrypted
    const isSame = now.door && now.port === port() && now.isEncrypted === isEncrypted
    let next: Now = isSame ? now : closed(now)
    if (isEncrypted) {
      try {
        next = {
          ...next,
          ...(await certified(next, [...addresses.map(({ address }) => address), `${settings.name}.local`])),
        }
      } catch (error) {
        log.error('the certificate of shared addresses could not be made', { error })
        // The current certificate may still be valid for a while.
        if (!next.door) return closed(now, 'certificate', (error as Error).message)
      }
    }
    const tls = isEncrypted ? next.certificate : undefined
    const door = next.door ?? makeLanServer({ port: port(), tls, isAllowed: allowedBy(settings) })
    if (tls && tls !== now.certificate) door.renew(tls)
    for (const address of door.addresses()) if (!addresses.some((own) => own.address === address)) door.close(address)
    const listeners = await openAll(door, addresses, new Set(present.map(({ address }) => address)))
    next = { ...next, door, port: port(), isEncrypted, reason: undefined, message: '', listeners }
    if (stateOf(next) !== stateOf(now)) logState(next, log)
    return next
  }
}

function logState({ listeners, port }: Now, log: OpeningDeps['log']): void {
  for (const { own, isOpen, reason, message } of listeners) {
    const { address } = own
    if (isOpen) log.info('an address is shared', { address, port })
    else log.warn('a shared address is closed', { address, port, reason, message })
  }
}

/**
 * The addresses to open. A chosen address that the machine has lost is replaced by the one that its interface got, of
 * the same family and kind; otherwise it stays requested (docs/reference/share.md#listeners).
 */
export function wantedOf(
  { address }: ShareSettings,
  machine: readonly OwnAddress[],
  chosen: ReturnType<ShareFile['chosen']>,
): readonly OwnAddress[] {
  if (address === '') return sharedAddresses(machine)
  const isFollowing = (one: OwnAddress) =>
    chosen?.address === address &&
    one.name === chosen.interface &&
    one.kind === chosen.kind &&
    isIP(one.address) === isIP(address)
  const own = machine.find((one) => one.address === address) ?? machine.find(isFollowing)
  return [own ?? { name: '', address, network: address, kind: 'private' }]
}

async function opened(door: LanListeners, own: OwnAddress): Promise<SharedListener> {
  try {
    await door.open(own.address)
    return { own, isOpen: true, reason: undefined, message: '' }
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? (error as Error).message)
    return { own, isOpen: false, reason: reasons[code] ?? 'failed', message: code }
  }
}

const reasons: Readonly<Record<string, ClosedReason>> = {
  EADDRINUSE: 'port_taken',
  EADDRNOTAVAIL: 'address_gone',
  EACCES: 'not_permitted',
}

export function openUrls(
  { listeners, port, isEncrypted }: Now,
  announcement: Announcement | undefined,
): readonly string[] {
  const open = listeners.filter(({ isOpen }) => isOpen).map(({ own }) => own.address)
  const name = open.length > 0 && announcement?.state === 'announced' ? [announcement.name] : []
  return [...open.toSorted(byFamily), ...name].map((host) => urlAt(host, port, isEncrypted ? 'https' : 'http'))
}

/** Names as in a Host header; browsers omit default ports. */
export function hostsOf(names: readonly string[], port: number): ReadonlySet<string> {
  const written = names.map((name) => (name.includes(':') ? `[${name}]` : name))
  return new Set(
    written.flatMap((name) => (port === 80 || port === 443 ? [name, `${name}:${port}`] : [`${name}:${port}`])),
  )
}

/** A string that changes when an address is opened or closed, or a reason changes. */
export const stateOf = ({ listeners, reason }: Now): string =>
  JSON.stringify([reason, listeners.map(({ own, isOpen, reason: why }) => [own.address, isOpen, why])])
