import { matchRule, type RatioRule } from './ratio-rules.ts'

/** How the sound of a model is priced; with neither, it counts as text does. */
export type AudioPrice = Readonly<{
  /** Price of sound heard over that of text; null where sound is not told from text. */
  audioRatio: number | null
  /** Price of sound spoken over that of sound heard. */
  audioCompletionRatio: number
  /** US dollars for a million tokens of sound heard, where the vendor has a price for it alone; else null. */
  audioInputPrice: number | null
}>

/** The operator's AudioRatio and AudioCompletionRatio. */
export type AudioTables = Readonly<{
  audioRatio: Readonly<Record<string, number>>
  audioCompletionRatio: Readonly<Record<string, number>>
}>

/**
 * The audio ratios (docs/reference/billing.md#sound) for models that the operator gave one, else the vendor's separate
 * price of audio input, else the rules' ratios for models whose name says that they hear or speak.
 */
export function audioPriceOf(model: string, tables: AudioTables): AudioPrice {
  const ratio = nearest(tables.audioRatio, model)
  const completionRatio = nearest(tables.audioCompletionRatio, model)
  const isSet = ratio !== undefined || completionRatio !== undefined
  const apart = isSet ? undefined : inputPrices.find(({ prefix }) => model.startsWith(prefix))
  if (apart) return { audioRatio: null, audioCompletionRatio: 1, audioInputPrice: apart.price }
  if (!isSet && !SOUNDS.test(model)) return { audioRatio: null, audioCompletionRatio: 1, audioInputPrice: null }
  return {
    audioRatio: ratio ?? matchRule(audioRules, model),
    audioCompletionRatio: completionRatio ?? matchRule(audioCompletionRules, model),
    audioInputPrice: null,
  }
}

/** No model has a longer name. */
const MAX_NAME_LENGTH = 512

/**
 * The model's own entry, else that of the longest name it begins with: dated variants cost what their model does. Asked by
 * the model's beginnings, since the map may have very many names.
 */
function nearest(map: Readonly<Record<string, number>>, model: string): number | undefined {
  for (let length = Math.min(model.length, MAX_NAME_LENGTH); length > 0; length -= 1) {
    const name = model.slice(0, length)
    if (Object.hasOwn(map, name)) return map[name]
  }
  return undefined
}

/** Models of sound by their name (docs/reference/billing.md#sound). */
const SOUNDS = /^gpt-4o(-mini)?-audio|-realtime|-(transcribe|tts)(-|$)/

/** First match first (docs/reference/billing.md#sound). */
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

/** First match first (docs/reference/billing.md#sound). */
const inputPrices: readonly Readonly<{ prefix: string; price: number }>[] = [
  { prefix: 'gemini-2.5-flash-preview-native-audio', price: 3 },
  { prefix: 'gemini-2.5-flash-preview', price: 1 },
  { prefix: 'gemini-2.5-flash-lite', price: 0.3 },
  { prefix: 'gemini-2.5-flash', price: 1 },
  { prefix: 'gemini-2.0-flash', price: 0.7 },
]
