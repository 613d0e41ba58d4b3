import type { Vault } from '../base/ciphers.ts'
import type { Clock } from '../base/clock.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import { randomFraction } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { NewLog } from '../store/schema.ts'
import { type Affinity, createAffinity } from './health/affinity.ts'
import { type ChannelBalance, createBalance } from './testing/balance.ts'
import { createConsistency, type MendConsistency } from './admin/consistency.ts'
import { type ChannelEditor, createEditor } from './admin/editor.ts'
import { createExamine, type Examine } from './testing/deep-test.ts'
import { type ChannelHealth, createHealth } from './health/health.ts'
import { createInFlight, type InFlight } from './health/in-flight.ts'
import { startJobs } from './testing/jobs.ts'
import { createKeyEditor, type KeyEditor } from './admin/key-editor.ts'
import { type ChannelListing, createListing } from './admin/listing.ts'
import { createModelList, type ModelList } from './admin/models.ts'
import type { ChannelNews } from './health/channel-events.ts'
import type { ChatAddress, Probe } from './testing/probe.ts'
import { createRests, type Rests } from './health/cooldowns.ts'
import { createRoster, type Roster } from './registry/channel-registry.ts'
import { createRuns, type Runs } from './testing/runs.ts'
import { createSeen, type UpstreamSeen } from './health/client-usage.ts'
import { createTagEditor, type TagEditor } from './admin/tags.ts'
import { type ChannelTest, createChannelTest } from './testing/test.ts'
import { type ChannelTryOut, createTryOut } from './testing/dry-run.ts'
import { createVerifyProxy, type VerifyProxy } from './admin/verify-proxy.ts'

/** Everything about channels: the relay uses the roster, health and seen, the console's API the rest. */
export type Channels = Readonly<{
  roster: Roster
  health: ChannelHealth
  seen: UpstreamSeen
  rests: Rests
  affinity: Affinity
  inFlight: InFlight
  editor: ChannelEditor
  tags: TagEditor
  keys: KeyEditor
  listing: ChannelListing
  test: ChannelTest
  examine: Examine
  tryOut: ChannelTryOut
  balance: ChannelBalance
  runs: Runs
  verifyProxy: VerifyProxy
  models: ModelList
  mendConsistency: MendConsistency
  /** Cancels background runs, waits for what is on its way, and writes what is still in memory. */
  stop(): Promise<void>
}>

export type ChannelsDeps = Readonly<{
  db: Db
  vault: Vault
  settings: Settings
  clock: Clock
  log: Logger
  fetchTrusted: FetchTrusted
  /** The relay's; called only when a test runs. */
  probe: Probe
  /** The relay's, too. */
  chatAddress: ChatAddress
  /** Queues a log row. */
  note: (row: NewLog) => void
  /** How often the background looks after channels, in minutes, and the pause between two channels, in seconds; absent is never. */
  config?: Readonly<{ CHANNEL_TEST_FREQUENCY: number; CHANNEL_UPDATE_FREQUENCY: number; POLLING_INTERVAL: number }>
  /** Tells root what has happened to a channel. */
  notify?: (news: ChannelNews) => void
}>

/** Builds all parts and fills the roster; from then on routing follows every write made through them. */
export async function createChannels(deps: ChannelsDeps): Promise<Channels> {
  const roster = createRoster(deps)
  await roster.reload()
  const health = createHealth({ ...deps, roster })
  const seen = createSeen(deps)
  const rests = createRests(deps.clock, randomFraction)
  const editor = createEditor({ ...deps, roster })
  const { CHANNEL_TEST_FREQUENCY = 0, CHANNEL_UPDATE_FREQUENCY = 0, POLLING_INTERVAL = 0 } = deps.config ?? {}
  const runs = createRuns({ ...deps, pauseSeconds: POLLING_INTERVAL })
  const test = createChannelTest({ ...deps, roster, health, runs, rests })
  const balance = createBalance({ ...deps, roster, health, runs })
  const frequencies = { testMinutes: CHANNEL_TEST_FREQUENCY, balanceMinutes: CHANNEL_UPDATE_FREQUENCY }
  const jobs = startJobs({ ...deps, runs, test, balance }, frequencies)
  return {
    roster,
    health,
    seen,
    rests,
    affinity: createAffinity(deps.clock),
    inFlight: createInFlight(),
    editor: { ...editor, update: (change) => editor.update(change).finally(() => rests.clear(change.id)) },
    tags: createTagEditor({ ...deps, roster }),
    keys: createKeyEditor({ ...deps, roster, rests }),
    listing: createListing({ ...deps, roster }),
    test,
    examine: createExamine({ ...deps, roster, rests }),
    tryOut: createTryOut(deps),
    balance,
    runs,
    verifyProxy: createVerifyProxy({ ...deps, roster }),
    models: createModelList({ ...deps, roster }),
    mendConsistency: createConsistency({ ...deps, roster }),
    async stop() {
      await Promise.all([jobs.stop(), runs.stop()])
      await seen.stop()
    },
  }
}
