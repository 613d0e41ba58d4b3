import { type Fraction, fraction, product } from '../fraction.ts'
import { audioCompletionRatios, audioDollars, audioRatios, completionRatios, firstFit } from './rules.ts'

type Typed = Readonly<Record<string, string>>

/** An operator's pricing options, with every figure as it was typed. */
export type Operator = Readonly<{
  ModelPrice: Typed
  ModelRatio: Typed
  CompletionRatio: Typed
  CacheRatio: Typed
  CreateCacheRatio: Typed
  ImageRatio: Typed
  AudioRatio: Typed
  AudioCompletionRatio: Typed
  GroupRatio: Typed
  GroupGroupRatio: Readonly<Record<string, Typed>>
}>

export type Asked = Readonly<{ model: string; userGroup: string; usingGroup: string; acceptUnset: boolean }>

/** The price of a model for one caller, in exact fractions. */
export type ExactPrice = Readonly<{
  name: string
  /** Dollars per call, or undefined where ratios apply. */
  call: Fraction | undefined
  model: Fraction
  group: Fraction
  completion: Fraction
  cacheRead: Fraction
  cacheWrite: Fraction
  cacheHour: Fraction
  image: Fraction
  /** The audio ratio; undefined where audio counts as text or has a price in dollars. */
  sound: Fraction | undefined
  audioOut: Fraction
  audioDollars: Fraction | undefined
}>

const UNSET = '37.5'

/**
 * Computes the price; undefined if the model may not be called. The operator's own completion ratios take precedence
 * (docs/reference/billing.md#price-lookup).
 */
export function exactPrice(operator: Operator, { model, userGroup, usingGroup, acceptUnset }: Asked) {
  const name = folded(model)
  const call = at(operator.ModelPrice, name)
  const ratio = at(operator.ModelRatio, name)
  if (call === undefined && ratio === undefined && !acceptUnset) return undefined
  const written = fraction(at(operator.CreateCacheRatio, name) ?? '1.25')
  const sound = audioOf(operator, name)
  const exclusive = at(at(operator.GroupGroupRatio, userGroup) ?? {}, usingGroup)
  const price: ExactPrice = {
    name,
    call: call === undefined ? undefined : fraction(call),
    model: fraction(ratio ?? UNSET),
    group: fraction(exclusive ?? at(operator.GroupRatio, usingGroup) ?? '1'),
    completion: fraction(at(operator.CompletionRatio, name) ?? firstFit(completionRatios, name) ?? '1'),
    cacheRead: fraction(at(operator.CacheRatio, name) ?? '1'),
    cacheWrite: written,
    cacheHour: product(written, fraction('1.6')),
    image: fraction(at(operator.ImageRatio, name) ?? '1'),
    ...sound,
  }
  return price
}

const at = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined => new Map(Object.entries(map)).get(name)

function folded(model: string): string {
  for (const family of ['gpt-4-gizmo', 'gpt-4o-gizmo']) if (model.startsWith(family)) return `${family}-*`
  if (!model.includes('-thinking-')) return model
  for (const family of ['gemini-2.5-flash-lite', 'gemini-2.5-flash', 'gemini-2.5-pro'])
    if (model.startsWith(family)) return `${family}-thinking-*`
  return model
}

/**
 * The price of audio (docs/reference/billing.md#audio): by the operator's maps with the longest matching prefix, else
 * the vendor's dollars, else the rules.
 */
function audioOf(operator: Operator, name: string) {
  const [ratio, out] = [longest(operator.AudioRatio, name), longest(operator.AudioCompletionRatio, name)]
  const none = { sound: undefined, audioOut: fraction('1'), audioDollars: undefined }
  if (ratio === undefined && out === undefined) {
    const dollars = firstFit(audioDollars, name)
    if (dollars !== undefined) return { ...none, audioDollars: fraction(dollars) }
    if (!isOfAudio(name)) return none
  }
  return {
    sound: fraction(ratio ?? firstFit(audioRatios, name) ?? '1'),
    audioOut: fraction(out ?? firstFit(audioCompletionRatios, name) ?? '1'),
    audioDollars: undefined,
  }
}

const isOfAudio = (name: string): boolean =>
  name.startsWith('gpt-4o-audio') ||
  name.startsWith('gpt-4o-mini-audio') ||
  name.includes('-realtime') ||
  ['transcribe', 'tts'].some((kind) => name.endsWith(`-${kind}`) || name.includes(`-${kind}-`))

function longest(typed: Typed, name: string): string | undefined {
  for (let length = name.length; length > 0; length -= 1) {
    const found = at(typed, name.slice(0, length))
    if (found !== undefined) return found
  }
  return undefined
}
