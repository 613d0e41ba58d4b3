import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import type { Tier } from '../../channels/registry/picker.ts'
import type { OutputLimit, OutputLimits } from './output-limits.ts'

/**
 * The longest output of a model by the names its channels have for it: the longest of them, unless the operator has said
 * what holds for the name it is asked for by.
 */
export function longestOutput(limits: OutputLimits, model: string, channels: readonly ActiveChannel[]): OutputLimit {
  const own = limits(model)
  if (own.isSet) return own
  let longest: OutputLimit | undefined
  for (const { modelMapping } of channels) {
    const limit = modelMapping ? limits(nameIn(modelMapping, model)) : own
    if (!longest || limit.tokens > longest.tokens) longest = limit
  }
  return longest ?? own
}

/** The last that was asked of a list of tiers, which never changes and is shared by requests. */
type Known = Readonly<{ limits: OutputLimits; model: string; limit: OutputLimit }>
const known = new WeakMap<readonly Tier[], Known>()

/** The same over the channels of tiers, of which there may be thousands: looked through once, not for every request. */
export function longestOfTiers(limits: OutputLimits, model: string, tiers: readonly Tier[]): OutputLimit {
  const found = known.get(tiers)
  if (found && found.limits === limits && found.model === model) return found.limit
  const channels = tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
  const limit = longestOutput(limits, model, channels)
  known.set(tiers, { limits, model, limit })
  return limit
}

/** A mapping that runs in a circle is refused when its channel is asked. */
function nameIn(mapping: NonNullable<ActiveChannel['modelMapping']>, model: string): string {
  try {
    return mappedModel(model, mapping)
  } catch {
    return model
  }
}
