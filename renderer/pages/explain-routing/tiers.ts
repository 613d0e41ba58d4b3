import type { ExplainedChannel } from '../../../shared/api/routing.ts'

/** Channels of one priority, those likeliest to be asked first. */
export type Tier = Readonly<{ priority: number; channels: readonly ExplainedChannel[] }>

/** Channels by falling priority, in the order the gateway told them. */
export const tiersOf = (channels: readonly ExplainedChannel[]): readonly Tier[] =>
  [...Map.groupBy(channels, ({ priority }) => priority)]
    .map(([priority, members]) => ({ priority, channels: members }))
    .sort((one, other) => other.priority - one.priority)
