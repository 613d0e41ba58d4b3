import pLimit from 'p-limit'
import { role } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Locale } from '../../shared/messages/format.ts'
import { MIN_PASSWORD_LENGTH, type ShareWish } from '../../shared/share/wish.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { managerRow } from '../audit/log-rows.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { type BegunJob, type JobReport, type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { isLoopback } from '../limits/client-address.ts'
import { userStore } from '../store/accounts/users.ts'
import { type Announcement, createAnnouncing } from './announcing.ts'
import { type Callers, createCallers } from './callers.ts'
import type { Authority, Certificate } from './certificates.ts'
import { type LookForAddresses, machineAddresses, type OwnAddress, urlsOf } from './interfaces.ts'
import {
  allowedBy,
  type ClosedReason,
  closed,
  createOpening,
  hostsOf,
  type MakeDoor,
  noneOpen,
  openUrls,
  type SharedPlace,
  stateOf,
  wantedOf,
} from './opening.ts'
import { createOwnPages, type OwnPages } from './own-pages.ts'
import { createReadiness, type ReadinessDeps, type Ready } from './readiness.ts'
import { openShareFile, type ShareFile } from './share-file.ts'
import { changedWish, type WishChange } from './wishes.ts'

/** Who changes it, for the log. */
type Who = Parameters<typeof managerRow>[0]

/** How sharing stands. */
export type Standing = Readonly<{
  wish: ShareWish
  port: number
  /** HOST of the environment, where that decides. */
  environment: Readonly<{ host: string; port: number }> | undefined
  /** Why it could not be switched on now. */
  refused: Ready['refused'] | 'environment'
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
  /** The addresses that others can open now, the best first: shared ones, or those that HOST leads to; none on loopback alone. */
  urls(): readonly string[]
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

type SharingDeps = Omit<ReadinessDeps, 'file'> &
  Readonly<{
    config: Readonly<{ DATA_DIR: string; HOST: string }>
    /** The gateway's own port; undefined while it does not listen. */
    ownPort: () => number | undefined
    vault: Pick<Vault, 'seal' | 'open'>
    clock: Clock
    log: Pick<Logger, 'info' | 'warn' | 'error'>
    jobs: Jobs
    auditLog: AuditLog
    makeDoor: (sharing: Pick<Sharing, 'isKnown' | 'pages' | 'callers'>) => MakeDoor
    machine?: LookForAddresses | undefined
  }>

/** How often closed addresses are tried again. */
export const AGAIN_MS = 30_000

/** Shares nothing before `start`. */
export function createSharing(deps: SharingDeps): Sharing {
  const { config, clock, log, ownPort, machine = machineAddresses } = deps
  const file = openShareFile(config.DATA_DIR, log)
  const isDecided = config.HOST !== 'localhost' && !isLoopback(config.HOST)
  const ready = createReadiness({ ...deps, file })
  const callers = createCallers({ clock })
  const pages = createOwnPages(() => file.ca()?.certificate)
  const port = () => file.wish().port || ownPort() || 0
  const state = createState({ ...deps, machine, file, isDecided, ready, callers, pages, port })
  const { now, change, announcement, isKnown } = state
  return {
    callers,
    pages,
    isKnown,
    change,
    urls: () => (isDecided ? urlsOf(config.HOST, ownPort() ?? 0, machine()) : openUrls(now(), announcement())),
    isOn: () => file.wish().on && !isDecided,
    mayRegister: () => file.wish().registration,
    connections: () => now().door?.connections() ?? new Map(),
    async start() {
      state.begin()
      if (file.wish().on) await state.apply().catch((error) => log.error('sharing could not begin', { error }))
    },
    async switchAtDesk(isOn, locale) {
      const [root] = await userStore(deps.db).withRole(role.root)
      if (!root) throw refuse('forbidden', 'share.not_set_up')
      await change({ on: isOn }, { ...root, locale })
    },
    async stand() {
      const { reason, said, places, certificate, certificates } = now()
      const kept = file.ca()
      return {
        wish: file.wish(),
        port: port(),
        environment: isDecided ? { host: config.HOST, port: ownPort() ?? 0 } : undefined,
        refused: isDecided ? 'environment' : (await ready()).refused,
        reason,
        said,
        places,
        wanted: wantedOf(file.wish(), machine(), file.chosen()),
        machine: machine(),
        authority:
          kept && (certificates?.authority ?? (await import('./certificates.ts')).authorityIn(kept.certificate)),
        certificate,
        announcement: announcement(),
      }
    },
    stopListening: () => now().door?.stopListening(),
    stop: state.stop,
  }
}

type StateDeps = SharingDeps &
  Readonly<{
    machine: LookForAddresses
    file: ShareFile
    isDecided: boolean
    ready: () => Promise<Ready>
    callers: Callers
    pages: OwnPages
    port: () => number
  }>

/** What is open now; one change of it at a time. */
function createState(deps: StateDeps) {
  const { clock, log, file, isDecided, machine, port } = deps
  const inTurn = pLimit(1)
  const announcing = createAnnouncing({ log, clock })
  let now = noneOpen
  let hosts: ReadonlySet<string> = new Set()
  let isOver = false
  let job: BegunJob | undefined
  const isKnown = (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase())
  const open = createOpening({ ...deps, makeDoor: deps.makeDoor({ ...deps, isKnown }) })
  const apply = async () => {
    if (isOver || isDecided) return
    const wish = file.wish()
    now = await open(now, wish)
    const addresses = now.places.filter(({ isOpen }) => isOpen).map(({ own }) => ({ interface: own.name, ...own }))
    const { name } = wish
    const isAnnounced = wish.announces && addresses.length > 0
    hosts = hostsOf([...addresses.map(({ address }) => address), ...(isAnnounced ? [`${name}.local`] : [])], now.port)
    const { isEncrypted } = now
    await announcing.announce(isAnnounced ? { name, addresses, port: now.port, isEncrypted } : undefined)
  }
  const withdraw = async () => {
    hosts = new Set()
    await announcing.announce(undefined)
  }
  const turn = async (): Promise<JobReport | typeof nothingDue> => {
    if (!file.wish().on || isDecided || isOver) return nothingDue
    const before = stateOf(now)
    await inTurn(apply)
    if (stateOf(now) === before) return nothingDue
    const opened = now.places.filter(({ isOpen }) => isOpen).length
    return { key: 'job.share_open', params: { open: opened, closed: now.places.length - opened } }
  }
  const change = async (changed: WishChange, by: Who) => {
    const before = file.wish()
    const wish = changedWish(before, changed, machine())
    await requireReady(deps, wish)
    // What ends connections does so whatever else comes of the change.
    if (!wish.on) now = closed(now)
    now.door?.admit(allowedBy(wish))
    try {
      keep(file, wish, machine())
    } catch (error) {
      // Whom the list of before keeps out stays out; what was ended is not begun again.
      if (wish.on) now.door?.admit(allowedBy(before))
      else await withdraw()
      throw error
    }
    await apply()
    if (JSON.stringify(wish) === JSON.stringify(before)) return
    deps.auditLog.record(managerRow(by, saidOf(before.on, wish.on), clock, { port: port() }, { share: wish }))
  }
  return {
    now: () => now,
    isKnown,
    announcement: () => announcing.now(),
    apply: () => inTurn(apply),
    change: (changed: WishChange, by: Who) => inTurn(change, changed, by),
    begin() {
      job = deps.jobs.begin({ name: 'share', everyMs: AGAIN_MS, isOnEveryNode: true, work: turn })
    },
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

function keep(file: ShareFile, wish: ShareWish, machine: readonly OwnAddress[]): void {
  const own = machine.find(({ address }) => address === wish.address)
  const chosen = own ? { address: own.address, interface: own.name, kind: own.kind } : file.chosen()
  try {
    file.keep({ wish, chosen })
  } catch (cause) {
    throw refuse('unavailable', 'share.not_kept', { said: (cause as Error).message }, { cause })
  }
}

/** Refuses what the environment decides, and to share what may not be; by which passwords it may is kept. */
async function requireReady({ isDecided, ready, file, config }: StateDeps, { on }: ShareWish): Promise<void> {
  if (isDecided) throw refuse('forbidden', 'share.environment', { host: config.HOST }, { code: 'environment' })
  if (!on) return
  const found = await ready()
  const { refused } = found
  if (refused) throw refuse('forbidden', `share.${refused}`, { min: MIN_PASSWORD_LENGTH }, { code: refused })
  file.note(found.proven)
}
