import { present } from '../../../base/json/json.ts'
import type { ModelTraits } from '../../capabilities/claude-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation } from '../conversation.ts'

type SamplingTarget = Readonly<{
  traits: ModelTraits
  native: boolean
  thinks: boolean
  drop: RequestTarget['drop']
}>

/**
 * Limits the temperature to the vendor's range of 0 to 1; other dialects go up to 2
 * (docs/reference/conversion.md#openai-to-anthropic).
 */
const clampedTemperature = (temperature: number): number => Math.min(Math.max(temperature, 0), 1)

/**
 * Writes `temperature`, `top_p` and `top_k` as the model accepts them: newer models accept none, thinking ones only the
 * temperature 1, models since Claude 4.1 only one of the first two. Losses are reported, except a value of 1, which is
 * the default.
 */
export function samplingOut(conversation: Conversation, { traits, native, thinks, drop }: SamplingTarget): Json {
  const { temperature, topP, topK } = conversation
  if (!traits.sampling || thinks) {
    if (temperature !== undefined && temperature !== 1) drop('temperature')
    if (topP !== undefined && topP !== 1) drop('topP')
    if (topK !== undefined) drop('topK')
    return traits.sampling && temperature !== undefined ? { temperature: 1 } : {}
  }
  const warmth = temperature === undefined ? undefined : clampedTemperature(temperature)
  const both = traits.bothSamplings || native || warmth === undefined || topP === undefined
  if (both) return present({ temperature: warmth, top_p: topP, top_k: topK })
  if (warmth === 1 && topP !== 1) return present({ top_p: topP, top_k: topK })
  if (topP !== 1) drop('topP')
  return present({ temperature: warmth, top_k: topK })
}
