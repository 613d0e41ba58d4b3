import type { Vault } from '../base/ciphers.ts'
import type { Clock } from '../base/clock.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import { randomFraction } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { NewLog } from '../store/schema.ts'
import { type Affinity, createAffinity } from './affinity.ts'
import { type ChannelBalance, createBalance } from './balance.ts'
import { type ChannelEditor, createEditor } from './edit.ts'
import { type ChannelHealth, type ChannelNews, createHealth } from './health.ts'
import { type ChannelListing, createListing } from './listing.ts'
import { createModelList, type ModelList } from './models.ts'
import type { ChatAddress, Probe } from './probe.ts'
import { createRests, type Rests } from './rests.ts'
import { createRoster, type Roster } from './roster.ts'
import { createSeen, type UpstreamSeen } from './seen.ts'
import { createTagEditor, type TagEditor } from './tags.ts'
import { type ChannelTest, createChannelTest } from './test.ts'
import { type ChannelTryOut, createTryOut } from './try-out.ts'

/** Everything about channels: the relay uses the roster, health and seen, the console's API the rest. */
export type Channels = Readonly<{
  roster: Roster
  health: ChannelHealth
  seen: UpstreamSeen
  rests: Rests
  affinity: Affinity
  editor: ChannelEditor
  tags: TagEditor
  listing: ChannelListing
  test: ChannelTest
  tryOut: ChannelTryOut
  balance: ChannelBalance
  models: ModelList
  /** Waits for background runs and writes what is still in memory. */
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
  const test = createChannelTest({ ...deps, roster, health })
  const balance = createBalance({ ...deps, roster, health })
  return {
    roster,
    health,
    seen,
    rests,
    affinity: createAffinity(deps.clock),
    editor: { ...editor, update: (change) => editor.update(change).finally(() => rests.clear(change.id)) },
    tags: createTagEditor({ ...deps, roster }),
    listing: createListing({ ...deps, roster }),
    test,
    tryOut: createTryOut(deps),
    balance,
    models: createModelList({ ...deps, roster }),
    async stop() {
      await Promise.all([test.idle(), balance.idle()])
      await seen.stop()
    },
  }
}
