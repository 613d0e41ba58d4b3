import type { ExplainedChannel } from '../../../shared/api/routing.ts'

/** Channels of one priority, the most probable first. */
export type Tier = Readonly<{ priority: number; channels: readonly ExplainedChannel[] }>

/** Channels by descending priority, otherwise in the gateway's order. */
export const tiersOf = (channels: readonly ExplainedChannel[]): readonly Tier[] =>
  [...Map.groupBy(channels, ({ priority }) => priority)]
    .map(([priority, members]) => ({ priority, channels: members }))
    .sort((one, other) => other.priority - one.priority)
