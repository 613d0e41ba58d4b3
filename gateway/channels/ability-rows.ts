import { channelStatus } from '../../shared/enums.ts'
import type { AbilityRow, ChannelRow } from '../store/schema.ts'
import { namesIn } from './active-channel.ts'

/** What a channel's abilities repeat of it. */
export type Offering = Pick<ChannelRow, 'id' | 'models' | 'group' | 'status' | 'priority' | 'weight' | 'tag'>

/** One row for each pair of the channel's groups and models, enabled as the channel is (spec/relay.md §4.1). */
export function abilityRowsOf({ id, models, group, status, priority, weight, tag }: Offering): AbilityRow[] {
  const names = namesIn(models)
  const shared = { channel_id: id, enabled: Number(status === channelStatus.enabled), priority, weight, tag }
  return namesIn(group).flatMap((one) => names.map((model) => ({ group: one, model, ...shared })))
}
