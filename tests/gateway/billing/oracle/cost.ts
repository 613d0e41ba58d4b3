import { type Fraction, fraction, nearest, product, sum, whole } from '../fraction.ts'
import type { ExactPrice } from './prices.ts'

/** Tokens and calls, named as in docs/reference/conversion.md#usage; `isInside`: the prompt includes cached tokens. */
export type Used = Readonly<{
  prompt: number
  completion: number
  cacheRead: number
  cacheWrite: number
  cacheHour: number
  image: number
  audioIn: number
  audioOut: number
  webSearches: number
  fileSearches: number
  isInside: boolean
}>

/** A usage in which only some figures are given. */
export const usedOf = (told: Partial<Used>): Used => ({ ...NOTHING, ...told })

const NOTHING: Used = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheHour: 0,
  image: 0,
  audioIn: 0,
  audioOut: 0,
  webSearches: 0,
  fileSearches: 0,
  isInside: true,
}

/** What the request asks for beyond tokens: images by size, quality and number; the search context size. */
export type Wanted = Readonly<{
  image?: Readonly<{ size: string; quality: string; n: number }>
  search?: 'low' | 'medium' | 'high'
}>

/**
 * The charge by docs/reference/billing.md#charge and docs/reference/billing.md#images, as whole quota: exact, and
 * rounded once at the end, halves up.
 */
export function chargeOf(used: Used, price: ExactPrice, unit: number, wanted: Wanted = {}): number {
  const quota = product(whole(unit), price.group)
  const extras = product(toolDollars(used, price, wanted), quota)
  if (price.call) return atLeast(sum(product(price.call, imageFactor(price.name, wanted), quota), extras), false)
  const parts = partsOf(used, price)
  const isNothing = parts.every(([tokens]) => tokens === 0)
  if (isNothing) return 0
  const rate = product(price.model, price.group)
  const tokens = product(sum(...parts.map(([count, weight]) => product(whole(count), weight))), rate)
  return atLeast(sum(tokens, product(audioAlone(used, price), quota), extras), rate.over > 0n)
}

/** Any positive cost is at least 1, as is the cost of tokens with a nonzero ratio (`isDue`); the maximum is `MAX`. */
function atLeast(exact: Fraction, isDue: boolean): number {
  if (exact.over === 0n && !isDue) return 0
  const charge = nearest(exact)
  if (charge < 1n) return 1
  return charge > MAX ? Number(MAX) : Number(charge)
}

const MAX = 10n ** 12n

const hasAudioInput = (price: ExactPrice): boolean => price.sound !== undefined || price.audioDollars !== undefined

/** Counts each token once, with its weight. A part that exceeds what remains of its whole is cut. */
function partsOf(used: Used, price: ExactPrice): (readonly [number, Fraction])[] {
  const one = whole(1)
  let rest = used.prompt
  const cut = (claim: number) => {
    const part = claim > rest ? rest : claim
    rest -= part
    return part
  }
  const heard = hasAudioInput(price) ? cut(used.audioIn) : 0
  const isImageText = price.image.over === price.image.under
  const image = isImageText ? 0 : cut(used.image)
  const read = used.isInside ? cut(used.cacheRead) : used.cacheRead
  const written = used.isInside ? cut(used.cacheWrite) : used.cacheWrite
  const hour = used.cacheHour > written ? written : used.cacheHour
  const spoken = price.sound ? Math.min(used.audioOut, used.completion) : 0
  const sound = price.sound ?? whole(0)
  return [
    [rest, one],
    [heard, sound],
    [image, price.image],
    [read, price.cacheRead],
    [written - hour, price.cacheWrite],
    [hour, price.cacheHour],
    [used.completion - spoken, price.completion],
    [spoken, product(sound, price.audioOut)],
  ]
}

const audioAlone = (used: Used, { audioDollars }: ExactPrice): Fraction =>
  audioDollars ? product(whole(Math.min(used.audioIn, used.prompt)), audioDollars, fraction('1e-6')) : whole(0)

function toolDollars(used: Used, price: ExactPrice, { search = 'medium' }: Wanted): Fraction {
  const paid = /^gemini-[12]/.test(price.name) ? Math.min(used.webSearches, 1) : used.webSearches
  const searches = product(whole(paid), fraction(searchDollars(price.name, used.isInside, search)))
  return product(sum(searches, product(whole(used.fileSearches), fraction('2.5'))), fraction('1e-3'))
}

/**
 * Dollars per thousand searches: one price per vendor, and tiers for chat models with search
 * (docs/reference/billing.md#tools).
 */
function searchDollars(name: string, isInside: boolean, size: 'low' | 'medium' | 'high'): string {
  if (!isInside || name.includes('claude')) return '10'
  if (name.startsWith('gemini')) return /^gemini-[12]/.test(name) ? '35' : '14'
  if (!name.includes('search-preview')) return '10'
  const tiers = name.includes('mini') ? ['25', '27.5', '30'] : ['30', '35', '50']
  return tiers[['low', 'medium', 'high'].indexOf(size)] ?? ''
}

const SIZES: Readonly<Record<string, string>> = {
  '256x256': '0.4',
  '512x512': '0.45',
  '1024x1024': '1',
  '1024x1792': '2',
  '1792x1024': '2',
}

/** Size and quality matter for DALL·E only (docs/reference/billing.md#images). */
function imageFactor(name: string, { image }: Wanted): Fraction {
  if (!image) return whole(1)
  if (!name.startsWith('dall-e')) return whole(image.n)
  const isOblong = image.size === '1024x1792' || image.size === '1792x1024'
  const high = isOblong ? '1.5' : '2'
  const quality = name.startsWith('dall-e-3') && image.quality === 'hd' ? high : '1'
  return product(fraction(SIZES[image.size] ?? '1'), fraction(quality), whole(image.n))
}
