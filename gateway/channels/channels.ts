import type { AuditLog } from '../audit/audit-log.ts'
import type { Clock } from '../base/clock.ts'
import { randomFraction } from '../base/ids.ts'
import type { Jobs } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import type { FetchTrusted } from '../base/network/http-client.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Settings } from '../settings/settings.ts'
import type { Changes } from '../shared-state/changes.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Reader } from '../store/sqlite/reader.ts'
import { type ChangeMany, createChangeMany } from './admin/batch.ts'
import { createConsistency, type MendConsistency } from './admin/consistency.ts'
import { type ChannelEditor, createEditor } from './admin/editor.ts'
import { createKeyEditor, type KeyEditor } from './admin/key-editor.ts'
import { type ChannelListing, createListing } from './admin/listing.ts'
import { createModelList, type ModelList } from './admin/models.ts'
import { createTagEditor, type TagEditor } from './admin/tags.ts'
import { type ClientUsage, createClientUsage } from './health/client-usage.ts'
import { type Cooldowns, createCooldowns } from './health/cooldowns.ts'
import type { ChannelEvent } from './health/event-text.ts'
import { createFailing, type ReadFailing } from './health/failing.ts'
import { type ChannelHealth, createHealth } from './health/health.ts'
import { createInFlight, type InFlight } from './health/in-flight.ts'
import { createLocalModels, type LocalModelOptions, type LocalModels } from './local/local-models.ts'
import { type ChannelRegistry, createChannelRegistry } from './registry/channel-registry.ts'
import { type ChannelBalance, createBalance } from './testing/balance.ts'
import { createDeepTest, type DeepTest } from './testing/deep-test.ts'
import { type ChannelDryRun, createDryRun } from './testing/dry-run.ts'
import { beginJobs } from './testing/jobs.ts'
import type { ChatAddress, Probe } from './testing/probe.ts'
import { createRuns, type Runs } from './testing/runs.ts'
import { type ChannelTest, createChannelTest } from './testing/test.ts'
import { createKeyCheck } from './testing/test-call.ts'
import { createVerifyProxy, type VerifyProxy } from './testing/verify-proxy.ts'

export type Channels = Readonly<{
  registry: ChannelRegistry
  health: ChannelHealth
  clientUsage: ClientUsage
  cooldowns: Cooldowns
  failing: ReadFailing
  inFlight: InFlight
  openSessions: InFlight
  editor: ChannelEditor
  tags: TagEditor
  keys: KeyEditor
  changeMany: ChangeMany
  listing: ChannelListing
  test: ChannelTest
  deepTest: DeepTest
  dryRun: ChannelDryRun
  balance: ChannelBalance
  runs: Runs
  verifyProxy: VerifyProxy
  models: ModelList
  mendConsistency: MendConsistency
  localModels: LocalModels
  /** Cancels background runs, waits for running work, and writes what is still in memory. */
  stop(): Promise<void>
}>

type ChannelsDeps = Readonly<{
  db: Db
  reader: Pick<Reader, 'until'>
  vault: Vault
  settings: Settings
  clock: Clock
  log: Logger
  fetchTrusted: FetchTrusted
  /** Provided by the relay; called only when a test runs. */
  probe: Probe
  chatAddress: ChatAddress
  auditLog: AuditLog
  /**
   * The intervals of background tests and balance updates in minutes, and the pause between two channels in seconds;
   * never if absent.
   */
  config?: Readonly<{ CHANNEL_TEST_FREQUENCY: number; CHANNEL_UPDATE_FREQUENCY: number; POLLING_INTERVAL: number }>
  shared: Pick<SharedState, 'changes' | 'cooldowns' | 'failures'>
  jobs: Jobs
  /** Ports and timeout of local programs; overridden in tests. */
  local?: LocalModelOptions | undefined
  notify?: (event: ChannelEvent) => void
}>

/** Builds all services and fills the registry; every write made through them updates routing. */
export async function createChannels(deps: ChannelsDeps): Promise<Channels> {
  const { changes, cooldowns: entries, failures } = deps.shared
  const registry = await sharedRegistry(createChannelRegistry(deps), changes)
  const health = createHealth({ ...deps, registry, failures, isWorking: createKeyCheck(deps) })
  const clientUsage = createClientUsage(deps)
  const cooldowns = sharedCooldowns(createCooldowns(deps.clock, randomFraction, entries), deps)
  const failing = createFailing({ ...deps, registry, cooldowns })
  const editor = createEditor({ ...deps, registry })
  const localModels = createLocalModels({ ...deps, registry, editor })
  const { CHANNEL_TEST_FREQUENCY = 0, CHANNEL_UPDATE_FREQUENCY = 0, POLLING_INTERVAL = 0 } = deps.config ?? {}
  const runs = createRuns({ ...deps, pauseSeconds: POLLING_INTERVAL })
  const test = createChannelTest({ ...deps, registry, health, runs, cooldowns })
  const balance = createBalance({ ...deps, registry, health, runs })
  const frequencies = { testMinutes: CHANNEL_TEST_FREQUENCY, balanceMinutes: CHANNEL_UPDATE_FREQUENCY }
  const background = beginJobs({ ...deps, runs, test, balance }, frequencies)
  return {
    registry,
    health,
    clientUsage,
    cooldowns,
    failing,
    inFlight: createInFlight(deps.clock),
    openSessions: createInFlight(deps.clock, true),
    editor: { ...editor, update: (change) => editor.update(change).finally(() => cooldowns.clear(change.id)) },
    tags: createTagEditor({ ...deps, registry }),
    changeMany: createChangeMany({ ...deps, registry, cooldowns }),
    keys: createKeyEditor({ ...deps, registry, cooldowns }),
    listing: createListing({ ...deps, registry, cooldowns, failing }),
    test,
    deepTest: createDeepTest({ ...deps, registry, cooldowns }),
    dryRun: createDryRun(deps),
    balance,
    runs,
    verifyProxy: createVerifyProxy({ ...deps, registry }),
    models: createModelList({ ...deps, registry }),
    mendConsistency: createConsistency({ ...deps, registry }),
    localModels,
    async stop() {
      await Promise.all([background.stop(), runs.stop(), localModels.stop()])
      await clientUsage.stop()
    },
  }
}

/**
 * Returns cooldowns that are cleared on all nodes; if publishing fails, other nodes merely observe them until they end.
 */
function sharedCooldowns(own: Cooldowns, { shared: { changes }, log }: ChannelsDeps): Cooldowns {
  changes.follow('cooldowns', (names) => {
    if (names === 'all') return
    for (const [id, keyId] of names.map((name) => name.split(' '))) own.clear(Number(id), keyId)
  })
  const publish = async (name: string) => {
    try {
      await changes.publish('cooldowns', [name])
    } catch (error) {
      log.warn('other nodes could not clear the cooldowns of a channel', { error })
    }
  }
  return {
    ...own,
    clear(channelId, keyId) {
      own.clear(channelId, keyId)
      void publish(keyId === undefined ? String(channelId) : `${channelId} ${keyId}`)
    },
  }
}

/** Returns a filled registry that follows the writes of other nodes and publishes its own. */
async function sharedRegistry(own: ChannelRegistry, changes: Changes): Promise<ChannelRegistry> {
  changes.follow('channels', (ids) => own.reload(ids === 'all' ? undefined : ids.map(Number)))
  await own.reload()
  return {
    ...own,
    // Publish even if reloading fails here: the change is in the database.
    reload: async (ids) =>
      void (await Promise.all([own.reload(ids), changes.publish('channels', ids?.map(String) ?? 'all')])),
  }
}
