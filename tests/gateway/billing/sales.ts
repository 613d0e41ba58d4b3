import fc from 'fast-check'
import type { BillableExtras } from '../../../gateway/billing/billable-extras.ts'
import { createPriceBook, type Price } from '../../../gateway/billing/price.ts'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import { type Fraction, fraction, nearest, product, sum, whole } from './fraction.ts'

/** A sale with its prices as decimal text, as an operator types them. */
export type TypedSale = Readonly<{
  usage: Usage
  typed: Typed
  /** The price of a second model as typed; `extras` has it as the price book builds it. */
  second: Typed | null
  extras: BillableExtras
  quotaPerUnit: number
}>

export type Typed = Readonly<{
  model: string
  fixed: string | null
  modelRatio: string
  completionRatio: string
  cacheRatio: string
  cacheWriteRatio: string
  imageRatio: string
  /** Null if the model is not an audio model, unless its name says otherwise. */
  audioRatio: string | null
  audioCompletionRatio: string
  groupRatio: string
}>

/** The price that the price book builds from the typed figures. */
export function priceOf(typed: Typed): Price {
  const { model, fixed, audioRatio } = typed
  const priced = (text: string) => ({ [model]: Number(text) })
  const book = createPriceBook(
    {
      modelPrice: fixed === null ? {} : priced(fixed),
      modelRatio: priced(typed.modelRatio),
      completionRatio: priced(typed.completionRatio),
      cacheRatio: priced(typed.cacheRatio),
      createCacheRatio: priced(typed.cacheWriteRatio),
      imageRatio: priced(typed.imageRatio),
      audioRatio: audioRatio === null ? {} : priced(audioRatio),
      audioCompletionRatio: audioRatio === null ? {} : priced(typed.audioCompletionRatio),
      groupRatio: { g: Number(typed.groupRatio) },
      groupGroupRatio: {},
    },
    [],
  )
  const price = book.find({ model, userGroup: 'g', usingGroup: 'g', acceptUnset: false })
  if (!price) throw new Error('no price')
  return price
}

/**
 * The exact cost by docs/reference/billing.md#charge and docs/reference/billing.md#images; every token is counted once.
 */
export function cost({ usage, typed, second, extras, quotaPerUnit }: TypedSale): Fraction {
  const unit = product(whole(quotaPerUnit), fraction(typed.groupRatio))
  const tools = sum(product(toolDollars(usage, typed, extras), unit), beside(usage, second, unit))
  if (typed.fixed !== null) return sum(product(fraction(typed.fixed), fraction(String(extras.times ?? 1)), unit), tools)
  const parts = partsOf(usage, typed)
  if (parts.every(([tokens]) => tokens === 0)) return whole(0)
  const rate = product(fraction(typed.modelRatio), fraction(typed.groupRatio))
  const tokens = product(sum(...parts.map(([count, ratio]) => product(whole(count), ratio))), rate)
  return sum(tokens, tools, audioApart(usage, typed, unit))
}

/** The cost of a second model: per call, or by its tokens. */
function beside({ secondModel }: Usage, second: Typed | null, unit: Fraction): Fraction {
  if (!secondModel || !second) return whole(0)
  const { calls: count, tokens: used } = secondModel
  if (second.fixed !== null) return product(whole(count), fraction(second.fixed), unit)
  const parts = partsOf(used, { ...second, audioRatio: null })
  const weighted = sum(...parts.map(([each, ratio]) => product(whole(each), ratio)))
  return product(weighted, fraction(second.modelRatio), fraction(second.groupRatio))
}

/** The cost rounded to quota: at least 1 if tokens have a price. */
export function oracle(sale: TypedSale): number {
  const exact = cost(sale)
  const { typed, usage } = sale
  const isPriced = fraction(typed.modelRatio).over !== 0n && fraction(typed.groupRatio).over !== 0n
  const isDue = typed.fixed === null && isPriced && partsOf(usage, typed).some(([tokens]) => tokens > 0)
  if (exact.over === 0n && !isDue) return 0
  return Math.min(Math.max(Number(nearest(exact)), 1), 1_000_000_000_000)
}

const ONE = whole(1)
const HEARD_APART: Readonly<Record<string, string>> = { 'gemini-2.5-flash': '1', 'gemini-2.0-flash-001': '0.7' }
const isApart = ({ model, audioRatio }: Typed): boolean => audioRatio === null && HEARD_APART[model] !== undefined

/** Tokens with their ratios. Audio and images are taken from the prompt first; parts that exceed the rest are cut. */
function partsOf(usage: Usage, typed: Typed): [number, Fraction][] {
  let left = usage.prompt
  const take = (claimed: number) => {
    const taken = Math.min(claimed, left)
    left -= taken
    return taken
  }
  const isAudio = typed.audioRatio !== null
  const sound = fraction(typed.audioRatio ?? '0')
  const heard = isAudio || isApart(typed) ? take(usage.audioInput) : 0
  const images = Number(typed.imageRatio) === 1 ? 0 : take(usage.imageInput)
  const isInside = usage.semantics === 'openai'
  const read = isInside ? take(usage.cacheRead) : usage.cacheRead
  const written = isInside ? take(usage.cacheWrite) : usage.cacheWrite
  const hour = Math.min(usage.cacheWriteHour, written)
  const spoken = isAudio ? Math.min(usage.audioOutput, usage.completion) : 0
  const creation = fraction(typed.cacheWriteRatio)
  return [
    [left, ONE],
    [read, fraction(typed.cacheRatio)],
    [written - hour, creation],
    [hour, product(creation, fraction('1.6'))],
    [images, fraction(typed.imageRatio)],
    [heard, sound],
    [usage.completion - spoken, fraction(typed.completionRatio)],
    [spoken, product(sound, fraction(typed.audioCompletionRatio))],
  ]
}

function audioApart(usage: Usage, typed: Typed, unit: Fraction): Fraction {
  if (!isApart(typed)) return whole(0)
  const price = fraction(HEARD_APART[typed.model] ?? '0')
  return product(whole(Math.min(usage.audioInput, usage.prompt)), price, fraction('0.000001'), unit)
}

const SEARCHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'gpt-4o': { low: '10', medium: '10', high: '10' },
  'gpt-4o-mini': { low: '10', medium: '10', high: '10' },
  m: { low: '10', medium: '10', high: '10' },
}

function toolDollars(usage: Usage, { model }: Typed, { webSearch, realtime }: BillableExtras): Fraction {
  const isByPrompt = model.startsWith('gemini-2')
  const bySize = SEARCHES[model]?.[webSearch?.size ?? 'medium'] ?? (isByPrompt ? '35' : '14')
  const search = usage.semantics === 'anthropic' || model === 'claude-x' ? '10' : bySize
  const isCapped = isByPrompt && !realtime
  const searches = product(whole(isCapped ? Math.min(usage.webSearches, 1) : usage.webSearches), fraction(search))
  const files = product(whole(usage.fileSearches), fraction('2.5'))
  return product(sum(searches, files, product(whole(usage.containerGigabytes), whole(30))), fraction('0.001'))
}

const ratio = fc
  .tuple(fc.nat(9_999_999), fc.nat(8))
  .map(([digits, scale]) => `${String(digits).padStart(scale + 1, '0')}`.replace(new RegExp(`(\\d{${scale}})$`), '.$1'))
  .map((text) => text.replace(/\.$/, ''))

const typed: fc.Arbitrary<Typed> = fc.record({
  model: fc.constantFrom('m', 'gpt-4o', 'gpt-4o-mini', 'claude-x', 'gemini-2.5-flash', 'gemini-2.0-flash-001'),
  fixed: fc.option(ratio, { freq: 6 }),
  modelRatio: fc.oneof({ weight: 1, arbitrary: fc.constant('0') }, { weight: 9, arbitrary: ratio }),
  completionRatio: ratio,
  cacheRatio: fc.oneof(fc.constantFrom('0', '1'), ratio),
  cacheWriteRatio: ratio,
  imageRatio: fc.oneof(fc.constantFrom('0', '1', '2'), ratio),
  audioRatio: fc.option(ratio),
  audioCompletionRatio: fc.oneof(fc.constantFrom('0', '1', '2'), ratio),
  groupRatio: fc.oneof(fc.constantFrom('0', '1', '0.5'), ratio),
})

const tokens = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(200_000))
const calls = fc.oneof(fc.constant(0), fc.nat(40))

/** Usages of any kind, including some whose parts exceed their whole. */
export const usages: fc.Arbitrary<Usage> = fc.record({
  prompt: tokens,
  completion: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  cacheWriteHour: tokens,
  reasoning: tokens,
  audioInput: tokens,
  imageInput: tokens,
  audioOutput: tokens,
  webSearches: calls,
  fileSearches: calls,
  containerGigabytes: calls,
  secondModel: fc.option(
    fc.record({
      calls: fc.integer({ min: 1, max: 20 }),
      tokens: fc
        .record({
          ...{ prompt: tokens, completion: tokens, imageInput: tokens },
          ...{ cacheRead: tokens, cacheWrite: tokens, cacheWriteHour: tokens },
          semantics: fc.constantFrom('openai' as const, 'anthropic' as const),
        })
        .map(usageOf),
    }),
  ),
  tiers: fc.constantFrom([], ['priority'], ['flex'], ['fast', 'us']),
  semantics: fc.constantFrom('openai' as const, 'anthropic' as const),
  source: fc.constant('upstream' as const),
})

/** Billable extras beyond tokens. */
export const works: fc.Arbitrary<BillableExtras> = fc.record(
  {
    times: fc.constantFrom(1, 2, 0.4, 0.45, 1.5, 30),
    webSearch: fc.record({ size: fc.constantFrom('low' as const, 'medium' as const, 'high' as const) }),
    realtime: fc.boolean(),
  },
  { requiredKeys: [] },
)

export const sales: fc.Arbitrary<TypedSale> = fc
  .record({
    usage: usages,
    typed,
    second: fc.option(typed),
    extras: works,
    quotaPerUnit: fc.constantFrom(500_000, 1, 1000, 123_457),
  })
  .map((sale) => {
    if (!sale.second) return sale
    const second = { ...sale.second, groupRatio: sale.typed.groupRatio }
    return { ...sale, second, extras: { ...sale.extras, secondModel: priceOf(second) } }
  })
