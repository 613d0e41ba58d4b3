import pLimit from 'p-limit'
import type { closedReasons } from '../../shared/api/share.ts'
import { role } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Locale } from '../../shared/messages/format.ts'
import { LEAST_PASSWORD, type ShareWish } from '../../shared/share/wish.ts'
import { managerRow } from '../accounts/managing.ts'
import type { Vault } from '../base/ciphers.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { BegunJob, JobReport, Jobs } from '../base/jobs.ts'
import { nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/logger.ts'
import type { Ledger } from '../billing/ledger.ts'
import { isLoopback, ranges } from '../limits/client-address.ts'
import { userStore } from '../store/users.ts'
import { type Announcement, createAnnouncing } from './announcing.ts'
import { type Callers, createCallers } from './callers.ts'
import type { Authority, Certificate, Certificates } from './certificates.ts'
import type { Door } from './door.ts'
import { type LookForAddresses, machineAddresses, type OwnAddress, sharedAddresses } from './interfaces.ts'
import { createOwnPages, type OwnPages } from './own-pages.ts'
import { createReadiness, type Readiness, type ReadinessDeps } from './readiness.ts'
import { openShareFile, type ShareFile } from './share-file.ts'
import { changedWish, type WishChange } from './wishes.ts'

/** Who changes it, for the log. */
type Who = Parameters<typeof managerRow>[0]

export type ClosedReason = (typeof closedReasons)[number]

/** An address that is to be shared, and how it stands. `said` is the system's word for why it is closed. */
export type SharedPlace = Readonly<{ own: OwnAddress; isOpen: boolean; reason: ClosedReason | undefined; said: string }>

/** How sharing stands. */
export type Standing = Readonly<{
  wish: ShareWish
  port: number
  /** HOST of the environment, where that decides. */
  environment: Readonly<{ host: string; port: number }> | undefined
  /** Why it could not be switched on now. */
  refused: Awaited<ReturnType<Readiness>> | 'environment'
  /** Why nothing is open at all. */
  reason: ClosedReason | undefined
  said: string
  places: readonly SharedPlace[]
  /** The addresses that are shared, or would be. */
  wanted: readonly OwnAddress[]
  machine: readonly OwnAddress[]
  authority: Authority | undefined
  certificate: Certificate | undefined
  announcement: Announcement | undefined
}>

/** The gateway on the local network (docs/reference/share.md). */
export interface Sharing {
  /** Opens what was shared before; what cannot be opened is tried again. Never throws. */
  start(): Promise<void>
  stand(): Promise<Standing>
  /** Whether it is to be shared. */
  isOn(): boolean
  /** Changes it at once; refuses what cannot be, with the state as it was. */
  change(change: WishChange, by: Who): Promise<void>
  /** Switches it from the desktop's menu, in the name of the super administrator, whose computer it is. */
  switchAtDesk(isOn: boolean, locale: Locale): Promise<void>
  readonly callers: Callers
  connections(): ReadonlyMap<string, number>
  /** Whether strangers may register at shared addresses. */
  mayRegister(): boolean
  /** Whether a Host header names a shared address. */
  isKnown(host: string | undefined): boolean
  readonly pages: OwnPages
  /** Listens no more; what is under way goes on. */
  stopListening(): void
  /** Ends everything. */
  stop(): Promise<void>
}

/** Makes the door of a port, over TLS where there is a certificate. */
export type MakeDoor = (
  options: Readonly<{ port: number; tls: Certificate | undefined; isAllowed: (address: string) => boolean }>,
) => Door & {
  /** Shows another certificate to who comes from now on. */
  renew(certificate: Certificate): void
}

export type SharingDeps = Omit<ReadinessDeps, 'file'> &
  Readonly<{
    config: Readonly<{ DATA_DIR: string; HOST: string }>
    /** The gateway's own port; undefined while it does not listen. */
    ownPort: () => number | undefined
    vault: Pick<Vault, 'seal' | 'open'>
    clock: Clock
    log: Pick<Logger, 'info' | 'warn' | 'error'>
    jobs: Jobs
    ledger: Pick<Ledger, 'note'>
    makeDoor: (sharing: Pick<Sharing, 'isKnown' | 'pages' | 'callers'>) => MakeDoor
    machine?: LookForAddresses | undefined
  }>

/** How often closed addresses are tried again. */
export const AGAIN_MS = 30_000

/** What is open, and why not. */
type Now = {
  door: ReturnType<MakeDoor> | undefined
  /** What the door was made for. */
  port: number
  isEncrypted: boolean
  certificates: Certificates | undefined
  certificate: Certificate | undefined
  reason: ClosedReason | undefined
  said: string
  places: readonly SharedPlace[]
}
const nothing = {
  door: undefined,
  port: 0,
  isEncrypted: false,
  certificate: undefined,
  reason: undefined,
  said: '',
  places: [],
}

/** Shares nothing before `start`. */
export function createSharing(deps: SharingDeps): Sharing {
  const { config, clock, log, jobs, ownPort, machine = machineAddresses } = deps
  const file = openShareFile(config.DATA_DIR, log)
  const isReady = createReadiness({ ...deps, file })
  const isDecided = config.HOST !== 'localhost' && !isLoopback(config.HOST)
  const inTurn = pLimit(1)
  const callers = createCallers({ clock })
  const announcing = createAnnouncing({ log, clock })
  const pages = createOwnPages(() => file.ca()?.certificate)
  let now: Now = { ...nothing, certificates: undefined }
  let hosts: ReadonlySet<string> = new Set()
  let isOver = false
  let job: BegunJob | undefined
  const port = () => file.wish().port || ownPort() || 0
  const isKnown = (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase())
  const makeDoor = deps.makeDoor({ isKnown, pages, callers })
  const work = createWork({ ...deps, file, isReady, machine, makeDoor, port })

  const apply = async () => {
    if (isOver || isDecided) return
    now = await work(now, file.wish())
    const owns = now.places.filter(({ isOpen }) => isOpen).map(({ own }) => own)
    const opened = owns.map(({ address }) => address)
    const { announces, name } = file.wish()
    const announced = announces && opened.length > 0 ? `${name}.local` : undefined
    hosts = hostsOf(opened, announced, now.port)
    const addresses = owns.map((own) => ({ interface: own.name, address: own.address }))
    await announcing.announce(announced ? { name, addresses, port: now.port, isEncrypted: now.isEncrypted } : undefined)
  }
  const turn = async (): Promise<JobReport | typeof nothingDue> => {
    if (!file.wish().on || isDecided || isOver) return nothingDue
    const before = stateOf(now)
    await inTurn(apply)
    if (stateOf(now) === before) return nothingDue
    const open = now.places.filter(({ isOpen }) => isOpen).length
    return { key: 'job.share_open', params: { open, closed: now.places.length - open } }
  }
  const change: Sharing['change'] = (changed, by) =>
    inTurn(async () => {
      const before = file.wish()
      const wish = changedWish(before, changed, machine())
      if (wish.on) await requireReady(isDecided ? async () => 'environment' as const : isReady, config.HOST)
      else if (isDecided) throw refuse('forbidden', 'share.environment', { host: config.HOST })
      keep(file, wish)
      // What ends connections does so whatever else comes of the change.
      now.door?.admit(allowedBy(wish))
      if (!wish.on) now = closed(now)
      await apply()
      if (JSON.stringify(wish) === JSON.stringify(before)) return
      deps.ledger.note(managerRow(by, saidOf(before.on, wish.on), clock, { port: port() }, { share: wish }))
    })
  return {
    callers,
    pages,
    isKnown,
    isOn: () => file.wish().on && !isDecided,
    mayRegister: () => file.wish().registration,
    connections: () => now.door?.connections() ?? new Map(),
    async start() {
      job = jobs.begin({ name: 'share', everyMs: AGAIN_MS, isOnEveryNode: true, work: turn })
      if (file.wish().on) await inTurn(apply).catch((error) => log.error('sharing could not begin', { error }))
    },
    change,
    async switchAtDesk(isOn, locale) {
      const [root] = await userStore(deps.db).withRole(role.root)
      if (!root) throw refuse('forbidden', 'share.not_set_up')
      await change({ on: isOn }, { ...root, locale })
    },
    async stand() {
      const refused = isDecided ? 'environment' : await isReady()
      const kept = file.ca()
      const { reason, said, places, certificate } = now
      return {
        wish: file.wish(),
        port: port(),
        environment: isDecided ? { host: config.HOST, port: ownPort() ?? 0 } : undefined,
        refused,
        reason,
        said,
        places,
        wanted: wantedOf(file.wish(), machine()),
        machine: machine(),
        authority:
          kept && (now.certificates?.authority ?? (await import('./certificates.ts')).authorityIn(kept.certificate)),
        certificate,
        announcement: announcing.now(),
      }
    },
    stopListening: () => now.door?.stopListening(),
    async stop() {
      isOver = true
      await job?.stop()
      now.door?.destroy()
      await announcing.announce(undefined)
    },
  }
}

/** What a change of the switch is called in the log. */
function saidOf(before: boolean, now: boolean): MessageKey {
  if (before === now) return 'log.share_changed'
  return now ? 'log.share_on' : 'log.share_off'
}

/** Whom a wish lets in. */
const allowedBy = ({ allowed }: ShareWish) => (allowed.length === 0 ? () => true : ranges(allowed))

function keep(file: ShareFile, wish: ShareWish): void {
  try {
    file.keep({ wish })
  } catch (cause) {
    throw refuse('unavailable', 'share.not_kept', { said: (cause as Error).message }, { cause })
  }
}

async function requireReady(isReady: () => Promise<Standing['refused']>, host: string): Promise<void> {
  const refused = await isReady()
  if (refused) throw refuse('forbidden', `share.${refused}`, { least: LEAST_PASSWORD, host }, { code: refused })
}

function closed(now: Now, reason?: ClosedReason, said = ''): Now {
  now.door?.destroy()
  return { ...nothing, certificates: now.certificates, reason, said }
}

type WorkDeps = Pick<SharingDeps, 'vault' | 'clock' | 'log'> &
  Readonly<{ file: ShareFile; isReady: Readiness; machine: LookForAddresses; makeDoor: MakeDoor; port: () => number }>

/** Makes what is open what is wished for, as far as that is possible now. */
function createWork({ vault, clock, log, file, isReady, machine, makeDoor, port }: WorkDeps) {
  const certified = async (now: Now, names: readonly string[]): Promise<Pick<Now, 'certificates' | 'certificate'>> => {
    const certificates =
      now.certificates ?? (await (await import('./certificates.ts')).openCertificates({ file, vault, clock }))
    return { certificates, certificate: await certificates.for(names) }
  }
  const openAll = async (door: Door, wanted: readonly OwnAddress[], present: ReadonlySet<string>) => {
    const places: SharedPlace[] = []
    for (const own of wanted) {
      const isOpen = door.addresses().includes(own.address)
      if (!present.has(own.address)) {
        door.close(own.address)
        places.push({ own, isOpen: false, reason: 'address_gone', said: '' })
      } else places.push(isOpen ? { own, isOpen, reason: undefined, said: '' } : await opened(door, own))
    }
    return places
  }
  return async (now: Now, wish: ShareWish): Promise<Now> => {
    if (!wish.on) return closed(now)
    const refused = await isReady()
    if (refused) return closed(now, refused === 'not_set_up' ? 'not_set_up' : 'password')
    const found = machine()
    const wanted = wantedOf(wish, found)
    const isEncrypted = wish.is_encrypted
    const isSame = now.door && now.port === port() && now.isEncrypted === isEncrypted
    let next: Now = isSame ? now : closed(now)
    if (isEncrypted) {
      try {
        next = { ...next, ...(await certified(next, [...wanted.map(({ address }) => address), `${wish.name}.local`])) }
      } catch (error) {
        log.error('the certificate of shared addresses could not be made', { error })
        return closed(now, 'certificate', (error as Error).message)
      }
    }
    const tls = isEncrypted ? next.certificate : undefined
    const door = next.door ?? makeDoor({ port: port(), tls, isAllowed: allowedBy(wish) })
    if (tls && next.door) door.renew(tls)
    for (const address of door.addresses()) if (!wanted.some((own) => own.address === address)) door.close(address)
    const places = await openAll(door, wanted, new Set(found.map(({ address }) => address)))
    for (const { own, reason, said } of places)
      if (reason) log.warn('a shared address is closed', { address: own.address, port: port(), reason, said })
    return { ...next, door, port: port(), isEncrypted, reason: undefined, said: '', places }
  }
}

/** The addresses that are to be open; one that was chosen is, also while the machine has it not. */
function wantedOf({ address }: ShareWish, machine: readonly OwnAddress[]): readonly OwnAddress[] {
  if (address === '') return sharedAddresses(machine)
  const own = machine.find((one) => one.address === address)
  return [own ?? { name: '', address, network: address, kind: 'private' }]
}

async function opened(door: Door, own: OwnAddress): Promise<SharedPlace> {
  try {
    await door.open(own.address)
    return { own, isOpen: true, reason: undefined, said: '' }
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? (error as Error).message)
    return { own, isOpen: false, reason: reasons[code] ?? 'failed', said: code }
  }
}

const reasons: Readonly<Record<string, ClosedReason>> = {
  EADDRINUSE: 'port_taken',
  EADDRNOTAVAIL: 'address_gone',
  EACCES: 'not_permitted',
}

/** Names as they stand in a Host header; browsers leave out a standard port. */
function hostsOf(addresses: readonly string[], announced: string | undefined, port: number): ReadonlySet<string> {
  const names = addresses.map((address) => (address.includes(':') ? `[${address}]` : address))
  if (announced !== undefined) names.push(announced)
  return new Set(
    names.flatMap((name) => (port === 80 || port === 443 ? [name, `${name}:${port}`] : [`${name}:${port}`])),
  )
}

const stateOf = ({ places, reason }: Now): string =>
  JSON.stringify([reason, places.map(({ own, isOpen, reason: why }) => [own.address, isOpen, why])])
