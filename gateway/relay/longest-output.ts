import type { ActiveChannel } from '../channels/active-channel.ts'
import { mappedModel } from '../channels/model-name.ts'
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

/** A mapping that runs in a circle is refused when its channel is asked. */
function nameIn(mapping: NonNullable<ActiveChannel['modelMapping']>, model: string): string {
  try {
    return mappedModel(model, mapping)
  } catch {
    return model
  }
}
