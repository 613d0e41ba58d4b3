import pLimit from 'p-limit'
import { role } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Locale } from '../../shared/messages/format.ts'
import { MIN_PASSWORD_LENGTH, type ShareSettings } from '../../shared/share/share-settings.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { managerRow } from '../audit/log-rows.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { type JobHandle, type JobReport, type Jobs, nothingDue } from '../base/jobs.ts'
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
  type MakeLanServer,
  noneOpen,
  openUrls,
  type SharedListener,
  stateOf,
  wantedOf,
} from './opening.ts'
import { createOwnPages, type OwnPages } from './own-pages.ts'
import { createReadiness, type ReadinessDeps, type Ready } from './readiness.ts'
import { openShareFile, type ShareFile } from './share-file.ts'
import { changedShareSettings, type ShareSettingsChange } from './share-settings-change.ts'

type Author = Parameters<typeof managerRow>[0]

export type Standing = Readonly<{
  settings: ShareSettings
  port: number
  /** HOST of the environment, if it is not loopback and so decides what is shared. */
  environment: Readonly<{ host: string; port: number }> | undefined
  /** Why sharing cannot be turned on now. */
  refused: Ready['refused'] | 'environment'
  reason: ClosedReason | undefined
  message: string
  listeners: readonly SharedListener[]
  /** The addresses that are shared, or would be. */
  wanted: readonly OwnAddress[]
  machine: readonly OwnAddress[]
  authority: Authority | undefined
  certificate: Certificate | undefined
  announcement: Announcement | undefined
}>

/** The gateway on the local network (docs/reference/share.md). */
export interface Sharing {
  /** Opens what was shared before; retries what fails. Never throws. */
  start(): Promise<void>
  stand(): Promise<Standing>
  /**
   * The addresses that others can open now, the best first: shared ones, or those of HOST; none if the gateway only
   * listens on loopback.
   */
  urls(): readonly string[]
  isOn(): boolean
  /** Changes the settings immediately; throws for invalid ones, with the state unchanged. */
  change(change: ShareSettingsChange, by: Author): Promise<void>
  /** Turns sharing on or off from the desktop's menu, in the name of root, whose computer it is. */
  switchFromHost(isOn: boolean, locale: Locale): Promise<void>
  readonly callers: Callers
  connections(): ReadonlyMap<string, number>
  /** Whether visitors may register at shared addresses. */
  mayRegister(): boolean
  isKnown(host: string | undefined): boolean
  readonly pages: OwnPages
  /** Stops listening; active connections continue. */
  stopListening(): void
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
    makeLanServer: (sharing: Pick<Sharing, 'isKnown' | 'pages' | 'callers'>) => MakeLanServer
    machine?: LookForAddresses | undefined
  }>

/** Milliseconds between retries of closed addresses. */
const AGAIN_MS = 30_000

/** Shares nothing before `start`. */
export function createSharing(deps: SharingDeps): Sharing {
  const { config, clock, log, ownPort, machine = machineAddresses } = deps
  const file = openShareFile(config.DATA_DIR, log)
  const isDecided = config.HOST !== 'localhost' && !isLoopback(config.HOST)
  const ready = createReadiness({ ...deps, file })
  const callers = createCallers({ clock })
  const pages = createOwnPages(() => file.ca()?.certificate)
  const port = () => file.settings().port || ownPort() || 0
  const state = createState({ ...deps, machine, file, isDecided, ready, callers, pages, port })
  const { now, change, announcement, isKnown } = state
  return {
    callers,
    pages,
    isKnown,
    change,
    urls: () => (isDecided ? urlsOf(config.HOST, ownPort() ?? 0, machine()) : openUrls(now(), announcement())),
    isOn: () => file.settings().on && !isDecided,
    mayRegister: () => file.settings().registration,
    connections: () => now().door?.connections() ?? new Map(),
    async start() {
      state.begin()
      if (file.settings().on) await state.apply().catch((error) => log.error('sharing could not begin', { error }))
    },
    async switchFromHost(isOn, locale) {
      const [root] = await userStore(deps.db).withRole(role.root)
      if (!root) throw refuse('forbidden', 'share.not_set_up')
      await change({ on: isOn }, { ...root, locale })
    },
    async stand() {
      const { reason, message, listeners, certificate, certificates } = now()
      const stored = file.ca()
      return {
        settings: file.settings(),
        port: port(),
        environment: isDecided ? { host: config.HOST, port: ownPort() ?? 0 } : undefined,
        refused: isDecided ? 'environment' : (await ready()).refused,
        reason,
        message,
        listeners,
        wanted: wantedOf(file.settings(), machine(), file.chosen()),
        machine: machine(),
        authority:
          stored && (certificates?.authority ?? (await import('./certificates.ts')).authorityIn(stored.certificate)),
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

function createState(deps: StateDeps) {
  const { clock, log, file, isDecided, machine, port } = deps
  const serialize = pLimit(1)
  const announcing = createAnnouncing({ log, clock })
  let now = noneOpen
  let hosts: ReadonlySet<string> = new Set()
  let isOver = false
  let job: JobHandle | undefined
  const isKnown = (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase())
  const open = createOpening({ ...deps, makeLanServer: deps.makeLanServer({ ...deps, isKnown }) })
  const apply = async () => {
    if (isOver || isDecided) return
    const settings = file.settings()
    now = await open(now, settings)
    const addresses = now.listeners.filter(({ isOpen }) => isOpen).map(({ own }) => ({ interface: own.name, ...own }))
    const { name } = settings
    const isAnnounced = settings.announces && addresses.length > 0
    hosts = hostsOf([...addresses.map(({ address }) => address), ...(isAnnounced ? [`${name}.local`] : [])], now.port)
    const { isEncrypted } = now
    await announcing.announce(isAnnounced ? { name, addresses, port: now.port, isEncrypted } : undefined)
  }
  const withdraw = async () => {
    hosts = new Set()
    await announcing.announce(undefined)
  }
  const retry = async (): Promise<JobReport | typeof nothingDue> => {
    if (!file.settings().on || isDecided || isOver) return nothingDue
    const before = stateOf(now)
    await serialize(apply)
    if (stateOf(now) === before) return nothingDue
    const opened = now.listeners.filter(({ isOpen }) => isOpen).length
    return { key: 'job.share_open', params: { open: opened, closed: now.listeners.length - opened } }
  }
  const change = async (changed: ShareSettingsChange, by: Author) => {
    const before = file.settings()
    const settings = changedShareSettings(before, changed, machine())
    await requireReady(deps, settings)
    // Closing connections must not depend on the rest of the change.
    if (!settings.on) now = closed(now)
    now.door?.admit(allowedBy(settings))
    try {
      store(file, settings, machine())
    } catch (error) {
      // Restores the previous lists of addresses; turning sharing off stays in effect.
      if (settings.on) now.door?.admit(allowedBy(before))
      else await withdraw()
      throw error
    }
    await apply()
    if (JSON.stringify(settings) === JSON.stringify(before)) return
    deps.auditLog.record(
      managerRow(by, logMessageOf(before.on, settings.on), clock, { port: port() }, { share: settings }),
    )
  }
  return {
    now: () => now,
    isKnown,
    announcement: () => announcing.now(),
    apply: () => serialize(apply),
    change: (changed: ShareSettingsChange, by: Author) => serialize(change, changed, by),
    begin() {
      job = deps.jobs.begin({ name: 'share', everyMs: AGAIN_MS, isOnEveryNode: true, work: retry })
    },
    async stop() {
      isOver = true
      await job?.stop()
      now.door?.destroy()
      await announcing.announce(undefined)
    },
  }
}

function logMessageOf(before: boolean, now: boolean): MessageKey {
  if (before === now) return 'log.share_changed'
  return now ? 'log.share_on' : 'log.share_off'
}

function store(file: ShareFile, settings: ShareSettings, machine: readonly OwnAddress[]): void {
  const own = machine.find(({ address }) => address === settings.address)
  const chosen = own ? { address: own.address, interface: own.name, kind: own.kind } : file.chosen()
  try {
    file.keep({ settings, chosen })
  } catch (cause) {
    throw refuse('unavailable', 'share.not_kept', { said: (cause as Error).message }, { cause })
  }
}

/**
 * Throws if the environment decides, or if the gateway may not be shared; stores hashes that identify the passwords
 * that allow it.
 */
async function requireReady({ isDecided, ready, file, config }: StateDeps, { on }: ShareSettings): Promise<void> {
  if (isDecided) throw refuse('forbidden', 'share.environment', { host: config.HOST }, { code: 'environment' })
  if (!on) return
  const found = await ready()
  const { refused } = found
  if (refused) throw refuse('forbidden', `share.${refused}`, { min: MIN_PASSWORD_LENGTH }, { code: refused })
  file.note(found.proven)
}
