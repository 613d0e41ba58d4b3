import { withoutVendor } from '../../shared/ratio-rules.ts'

type ImageRequest = Readonly<{ model: string; size: string; quality: string; n: number }>

const SIZES: ReadonlyMap<string, number> = new Map([
  ['256x256', 0.4],
  ['512x512', 0.45],
  ['1024x1024', 1],
  ['1024x1792', 2],
  ['1792x1024', 2],
])
const HD = 2
/** HD costs less extra if the size has already doubled the price. */
const HD_OBLONG = 1.5

/**
 * The multiplier of a per-call price: the number of images and, only for DALL·E, size and quality; prices of other
 * vendors apply to every size (docs/reference/billing.md#images).
 */
export function imagePriceFactor({ model, size, quality, n }: ImageRequest): number {
  const own = withoutVendor(model)
  if (!own.startsWith('dall-e')) return n
  const bySize = SIZES.get(size) ?? 1
  // Rounded to remove floating-point error: the exact factor has at most four decimals.
  return Number((bySize * qualityFactor(own, size, quality) * n).toFixed(4))
}

function qualityFactor(model: string, size: string, quality: string): number {
  if (quality !== 'hd' || !model.startsWith('dall-e-3')) return 1
  return size === '1024x1792' || size === '1792x1024' ? HD_OBLONG : HD
}
