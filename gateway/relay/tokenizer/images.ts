import type { MediaPart } from '../formats/conversation.ts'
import { encodingOf, plainName } from './encoding.ts'
import { type ImageSize, imageSizeOf } from './image-size.ts'

type Tiles = Readonly<{ model: RegExp; base: number; tile: number }>
type Patches = Readonly<{ model: RegExp; multiplier: number; max: number }>

/** Models whose formula OpenAI documents; those of later models changed several times, and other vendors differ. */
const MEASURABLE = /^(gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4-turbo|gpt-4-vision|o[134](-|$)|gpt-5(-mini|-nano)?(-\d|$))/

const constants: readonly Readonly<{ model: RegExp; tokens: number }>[] = [
  { model: /^glm-4/, tokens: 1047 },
  { model: /claude/, tokens: 1000 },
]
const patches: readonly Patches[] = [
  { model: /gpt-4\.1-mini/, multiplier: 1.62, max: 1536 },
  { model: /gpt-4\.1-nano/, multiplier: 2.46, max: 1536 },
  { model: /^o4-mini/, multiplier: 1.72, max: 1536 },
  { model: /^gpt-5-mini/, multiplier: 1.62, max: 1536 },
  { model: /^gpt-5-nano/, multiplier: 2.46, max: 1536 },
  { model: /^gpt-5\.[2-5]/, multiplier: 1.2, max: 10_000 },
  { model: /^gpt-(5\.[6-9]|[6-9]|\d\d)/, multiplier: 1.2, max: 30_000 },
]
const tiles: readonly Tiles[] = [
  { model: /^gpt-4o-mini/, base: 2833, tile: 5667 },
  { model: /^gpt-5/, base: 70, tile: 140 },
  { model: /^o[13]/, base: 75, tile: 150 },
  { model: /computer-use-preview/, base: 65, tile: 129 },
]
const otherTiles = { base: 85, tile: 170 }

const OTHER_VENDORS = 520
/**
 * Tokens of the largest images of other vendors (Alibaba, "Visual understanding": 16,384; Anthropic, "Vision": 4,784).
 */
const MAX_QWEN = 16_384
const MAX_OTHERS = 5000
/** The size with the most tiles; for models in `MEASURABLE` that count patches, also that with the most patches. */
const LARGEST = { width: 2048, height: 768 }
const UNKNOWN_SIZE = 3
const TILE = 512
const LONG_SIDE = 2048
const SHORT_SIDE = 768
const PATCH = 32

/**
 * Returns the tokens of one image (docs/reference/tokens.md#images, after OpenAI's vision guide). An image without a
 * size counts as three times the model's base. `detail` other than `low` counts as `high`; models that count patches
 * ignore it.
 */
export function imageTokens(model: string, detail: string | undefined, size: ImageSize | undefined): number {
  const name = plainName(model)
  const constant = constants.find((rule) => rule.model.test(name))
  if (constant) return constant.tokens
  if (encodingOf(model) === undefined) return OTHER_VENDORS
  const patched = patches.find((rule) => rule.model.test(name))
  const { base, tile } = tiles.find((rule) => rule.model.test(name)) ?? otherTiles
  if (size === undefined) return UNKNOWN_SIZE * (patched ? otherTiles.base : base)
  if (patched) return Math.round(countPatches(size, patched.max) * patched.multiplier)
  return detail === 'low' ? base : base + tile * countTiles(size)
}

/** The tokens of the largest image that the model accepts. */
export function maxImageTokens(model: string): number {
  if (encodingOf(model) === undefined) return /qwen|qvq/i.test(model) ? MAX_QWEN : MAX_OTHERS
  const patched = patches.find((rule) => rule.model.test(plainName(model)))
  return patched ? Math.ceil(patched.max * patched.multiplier) : imageTokens(model, 'high', LARGEST)
}

/** Whether the tokens of an image in a request are known without the vendor. */
export const hasKnownImages = (model: string): boolean => MEASURABLE.test(plainName(model))

/** Fits the image into 2048 by 2048, then reduces its shorter side to 768, and counts squares of 512. */
function countTiles({ width, height }: ImageSize): number {
  const fit = Math.min(1, LONG_SIDE / Math.max(width, height))
  const shrink = Math.min(1, SHORT_SIDE / (Math.min(width, height) * fit))
  return squares(width * fit * shrink, TILE) * squares(height * fit * shrink, TILE)
}

/** Counts squares of 32; above `max` the image is scaled down until that many cover it, with one side in whole squares. */
function countPatches({ width, height }: ImageSize, max: number): number {
  const whole = squares(width, PATCH) * squares(height, PATCH)
  if (whole <= max) return whole
  const shrink = Math.sqrt((PATCH * PATCH * max) / (width * height))
  const columns = (width * shrink) / PATCH
  const rows = (height * shrink) / PATCH
  const round = Math.min(wholeShare(columns), wholeShare(rows))
  return Math.min(max, squares(columns * round, 1) * squares(rows * round, 1))
}

/** Returns the factor that makes a side whole squares; a side below one square is never rounded to zero. */
const wholeShare = (side: number): number => (side < 1 ? 1 : Math.floor(side) / side)

/** Returns the squares along a side, at least one; the thousandth absorbs rounding errors of scaling. */
const squares = (side: number, square: number): number => Math.max(1, Math.ceil(side / square - 0.001))

/** Characters of an image's base64 that contain its header. */
const HEADER = 88 * 1024

/**
 * Returns the tokens of an image inside a request, which counts as the largest if its size cannot be read. Images named
 * by URL are not fetched for this, and count as images without a size (docs/reference/tokens.md#images).
 */
export function imageSize(model: string, { source, detail }: MediaPart): number {
  if (source.type !== 'data') return imageTokens(model, detail, undefined)
  return imageTokens(model, detail, imageSizeOf(Buffer.from(source.data.slice(0, HEADER), 'base64')) ?? LARGEST)
}
