import { setFlagsFromString } from 'node:v8'
import type { StartedHandover } from '../accounts/login/handover.ts'
import type { Ticket } from '../accounts/login/ticket.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { ChannelRegistry } from '../channels/registry/channel-registry.ts'
import { openControl } from '../control/control-socket.ts'
import type { Settings } from '../settings/settings.ts'
import type { BackupFile } from '../store/sqlite/backup-files.ts'
import { type Db, logFullDisk } from '../store/sqlite/database.ts'
import { createCore, type GatewayOptions } from './core.ts'
import { createDomains } from './domains.ts'
import { createHostApi, type HostApi } from './host-api.ts'
import { createHttpServers } from './http-servers.ts'
import { listen, listenNowhere, urlOf } from './listen.ts'
import { keepSetupLink } from './setup-link.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

export interface Gateway extends Shutdown {
  readonly url: string
  /** URLs for other machines, the best first; empty if only this machine can connect. */
  readonly urlsForOthers: readonly string[]
  /** Where the first administrator is created, with the one-time code; null once that is done. */
  readonly setupLink: string | null
  /**
   * Issues a ticket that logs in the desktop's window, once and within a minute; null unless the gateway is set up and
   * in self-use mode.
   */
  ticket(): Promise<Ticket | null>
  /** Starts a login in the system's browser for the desktop's window. */
  handover(): StartedHandover
  readonly shell: HostApi
  /** Creates and verifies a backup, like the console's button; throws while another is running. */
  backUp(): Promise<BackupFile>
  readonly inner: Readonly<{
    db: Db
    ledger: Ledger
    auditLog: AuditLog
    settings: Settings
    registry: ChannelRegistry
  }>
}

/** Creates everything in dependency order and starts listening. Throws `CannotStart`. */
export const createGateway = (options: GatewayOptions): Promise<Gateway> =>
  built(options).catch(logFullDisk(options.config.DATA_DIR))

async function built(options: GatewayOptions): Promise<Gateway> {
  keepRequestsYoung()
  const core = await createCore(options)
  try {
    const domains = await createDomains(core, options)
    const { config, address, log } = core
    const { isForShell = false } = options
    const setupLinkDeps = { folder: config.DATA_DIR, log }
    domains.access.setup.onDone(() => keepSetupLink(setupLinkDeps, null))
    const { hosts, pace, shell, sharing, accountRecovery, ...servers } = createHttpServers(core, domains, options)
    const opened = isForShell ? listenNowhere() : listen({ ...servers, log }, config.HOST, config.PORT)
    const { server, bound } = await opened.catch(async (error) => {
      pace.close()
      await domains.stop()
      throw error
    })
    address.bound = bound
    hosts.refresh()
    const control = await openControl({ folder: config.DATA_DIR, handler: shell, log })
    const url = bound ? urlOf(bound) : ''
    const setupLink = () => {
      const code = domains.access.setup.code()
      return code === undefined ? null : `${url}/setup?code=${code}`
    }
    if (!isForShell) keepSetupLink(setupLinkDeps, setupLink())
    if (!isForShell) await sharing.start()
    log.info('listening', { url, setUp: domains.access.setup.isDone() })
    return {
      url,
      get urlsForOthers() {
        return sharing.urls()
      },
      get setupLink() {
        return setupLink()
      },
      ticket: () => domains.access.tickets.issue(),
      handover: () => domains.access.handovers.begin(),
      shell: createHostApi({ ...core, pools: domains.pools, sharing, accountRecovery }, domains.relay.routes),
      backUp: () => core.backups.make('person'),
      ...createShutdown({
        server,
        onStop: core.setStopping,
        delayS: config.DRAIN_DELAY_S,
        drain(hurry) {
          sharing.stopListening()
          return Promise.all([domains.relay.routes.drain(config.DRAIN_S * 1000, hurry), core.jobs.stop()])
        },
        async close() {
          pace.close()
          await sharing.stop()
          await control.close()
          await domains.stop()
          await core.close()
          log.info('stopped')
        },
      }),
      inner: {
        db: core.db,
        ledger: core.ledger,
        auditLog: core.auditLog,
        settings: core.settings,
        registry: domains.channels.registry,
      },
    }
  } catch (error) {
    await core.close()
    throw error
  }
}

/**
 * Stops V8 from allocating objects directly in the old generation because earlier ones of the same kind lived long
 * during a busy hour: a request that references one such object stays in memory until the next full collection
 * (docs/decisions/2026-11-21-requests-die-young.md).
 */
function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
