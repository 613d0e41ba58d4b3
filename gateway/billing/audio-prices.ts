import { matchRule, type RatioRule, withoutVendor } from '../../shared/ratio-rules.ts'

/** How the audio of a model is priced; with neither ratio nor price, audio tokens cost what text tokens do. */
export type AudioPrice = Readonly<{
  /** Audio input price over text input price; null if audio is not distinguished from text. */
  audioRatio: number | null
  /** Audio output price over audio input price. */
  audioCompletionRatio: number
  /** US dollars per million audio input tokens, if the vendor prices them separately; else null. */
  audioInputPrice: number | null
}>

export type AudioTables = Readonly<{
  audioRatio: Readonly<Record<string, number>>
  audioCompletionRatio: Readonly<Record<string, number>>
}>

/**
 * The operator's audio ratios (docs/reference/billing.md#audio), with the rules' ratio for one that is not set. If
 * neither is set, the vendor's separate price of audio input, else the rules' ratios for models whose name indicates
 * audio.
 */
export function audioPriceOf(model: string, tables: AudioTables): AudioPrice {
  const ratio = nearest(tables.audioRatio, model)
  const completionRatio = nearest(tables.audioCompletionRatio, model)
  const isSet = ratio !== undefined || completionRatio !== undefined
  const separatePrice = isSet ? undefined : inputPrices.find(({ prefix }) => withoutVendor(model).startsWith(prefix))
  if (separatePrice) return { audioRatio: null, audioCompletionRatio: 1, audioInputPrice: separatePrice.price }
  if (!isSet && !AUDIO_MODELS.test(model)) return { audioRatio: null, audioCompletionRatio: 1, audioInputPrice: null }
  return {
    audioRatio: ratio ?? matchRule(audioRules, model),
    audioCompletionRatio: completionRatio ?? matchRule(audioCompletionRules, model),
    audioInputPrice: null,
  }
}

/** Max characters of a model name that are looked up. */
const MAX_NAME_LENGTH = 512

/**
 * Returns the model's own entry, else that of the longest name it begins with: dated variants cost what their base
 * model does. Looks up prefixes of the model name, since the map may be very large.
 */
function nearest(map: Readonly<Record<string, number>>, model: string): number | undefined {
  for (let length = Math.min(model.length, MAX_NAME_LENGTH); length > 0; length -= 1) {
    const name = model.slice(0, length)
    if (Object.hasOwn(map, name)) return map[name]
  }
  return undefined
}

/** Audio models by name (docs/reference/billing.md#audio). */
const AUDIO_MODELS = /^gpt-4o(-mini)?-audio|-realtime|-(transcribe|tts)(-|$)/

/** The first match wins (docs/reference/billing.md#audio). */
const audioRules: readonly RatioRule[] = [
  { contains: '-realtime', suffix: 'gpt-4o-realtime-preview', ratio: 8 },
  { contains: 'gpt-4o-mini-realtime-preview', ratio: 16.6666666667 },
  { contains: '-realtime', ratio: 20 },
  { prefix: 'gpt-4o-audio-preview', ratio: 16 },
  { prefix: 'gpt-4o-mini-audio-preview', ratio: 66.6666666667 },
  { contains: '-audio', ratio: 40 },
  { ratio: 20 },
]
const audioCompletionRules: readonly RatioRule[] = [{ ratio: 2 }]

/** The first match wins (docs/reference/billing.md#audio). */
const inputPrices: readonly Readonly<{ prefix: string; price: number }>[] = [
  { prefix: 'gemini-2.5-flash-preview-native-audio', price: 3 },
  { prefix: 'gemini-2.5-flash-preview', price: 1 },
  { prefix: 'gemini-2.5-flash-lite', price: 0.3 },
  { prefix: 'gemini-2.5-flash', price: 1 },
  { prefix: 'gemini-2.0-flash', price: 0.7 },
]
