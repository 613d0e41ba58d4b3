import { channelStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { channelStore } from '../../store/channels/channels.ts'
import { channelsWithoutSuccess } from '../../store/log/channel-hours.ts'
import { hourOf } from '../../store/log/usage-hours.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import type { Cooldowns } from './cooldowns.ts'

/** The ids of the failing channels (docs/reference/channels.md#lists), with the reason, which is empty if unknown. */
export type ReadFailing = () => Promise<ReadonlyMap<number, string>>

type FailingDeps = Readonly<{
  db: Db
  registry: Pick<ChannelRegistry, 'channel'>
  cooldowns: Pick<Cooldowns, 'list'>
  reader: Pick<Reader, 'until'>
  clock: Clock
}>

const HOURS = 24
const HOUR_S = 3600
const MIN_FAILURES = 2

export function createFailing({ db, reader, registry, cooldowns, clock }: FailingDeps): ReadFailing {
  const store = channelStore(db)
  return async () => {
    // The hours that the activity column of the channel list shows (docs/reference/channels.md#activity).
    const since = hourOf(unixSeconds(clock)) - (HOURS - 1) * HOUR_S
    const unsuccessful = await channelsWithoutSuccess(reader.until(), since, MIN_FAILURES)
    const failedTests = await store.withFailedTest()
    const cooling = cooldowns.list().filter(({ kind }) => kind === 'failing')
    // If a channel occurs more than once, its last reason is used.
    const reasons = new Map([
      ...unsuccessful.map((id) => [id, ''] as const),
      ...failedTests.map(({ id, test_message }) => [id, test_message] as const),
      ...cooling.map(({ channelId, message }) => [channelId, message] as const),
    ])
    return new Map([...reasons].filter(([id]) => registry.channel(id)?.status === channelStatus.enabled))
  }
}
