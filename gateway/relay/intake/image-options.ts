import { withoutVendor } from '../../../shared/ratio-rules.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { type JsonObject, objectIn, objectsIn } from '../../base/json/json.ts'
import type { BillableExtras, ImageExtras } from '../../billing/billable-extras.ts'
import { imagePriceFactor } from '../../billing/image-prices.ts'
import { maxTokensOfImage } from '../../billing/usage.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'

const CODE = 'invalid_image_request'
const MAX_IMAGES = 10
/** Max characters of a size or a quality. */
const MAX_NAME = 64
const SQUARES = ['256x256', '512x512', '1024x1024']

/**
 * Supported options by model family (docs/reference/endpoints.md#request-validation); sizes without a list, and the
 * options of other models, are left to the vendor.
 */
const families: readonly Readonly<{ prefix: string; sizes?: readonly string[]; qualities: readonly string[] }>[] = [
  { prefix: 'dall-e-2', sizes: SQUARES, qualities: ['standard'] },
  { prefix: 'dall-e', sizes: ['1024x1024', '1024x1792', '1792x1024'], qualities: ['standard', 'hd'] },
  { prefix: 'gpt-image', qualities: ['low', 'medium', 'high', 'xhigh', 'max'] },
]

export function checkImageRequest(json: JsonObject, model: string): void {
  const family = families.find(({ prefix }) => withoutVendor(model).startsWith(prefix))
  const size = textOr(json, 'size', '')
  if (size.includes('×')) throw invalid('size')
  if (family?.sizes && size !== '' && !family.sizes.includes(size)) throw invalid('size')
  const quality = textOr(json, 'quality', 'auto')
  if (family && quality !== 'auto' && !family.qualities.includes(quality)) throw invalid('quality')
  const count = countIn(json)
  if (!Number.isInteger(count) || count < 1 || count > MAX_IMAGES) throw invalid('n')
}

/**
 * Throws if an Imagen request does not have exactly one prompt, or for an unsupported number of images (Gemini API
 * reference, "predict").
 */
export function checkPrediction(json: JsonObject): void {
  const prompts = objectsIn(json.instances).map(({ prompt }) => prompt)
  const [prompt] = prompts
  if (prompts.length !== 1 || typeof prompt !== 'string' || prompt === '')
    throw refuse('invalid', 'relay.fieldMissing', { field: 'instances[0].prompt' }, { code: CODE, param: 'instances' })
  const count = sampleCount(json)
  if (!Number.isInteger(count) || count < 1 || count > MAX_IMAGES) throw invalid('parameters.sampleCount')
}

/** Imagen generates four images by default ("Generate images using Imagen"). */
function sampleCount(json: JsonObject): number {
  const { sampleCount: count, sample_count } = objectIn(json.parameters)
  return Number(count ?? sample_count ?? 4)
}

export const drawnBy = ({ endpoint, json, model }: Pick<Call, 'endpoint' | 'json' | 'model'>): ImageExtras =>
  endpoint === 'predict' ? { size: '', quality: '', n: sampleCount(json) } : imageRequestOf(json, model)

export const imageExtrasOf = (image: ImageExtras, model: string): BillableExtras => ({
  times: imagePriceFactor({ model, ...image }),
  image,
})

/**
 * The request with the number of images that is charged, in the form of an endpoint: vendors' defaults differ, and
 * several generate four by default (docs/reference/billing.md#images).
 */
export function withCount(json: JsonObject, call: Call, endpoint: Endpoint): JsonObject {
  if (!isDrawn(call.endpoint)) return json
  const { n } = drawnBy(call)
  if (endpoint !== 'predict') return { ...json, n }
  const { sample_count: _, ...parameters } = objectIn(json.parameters)
  return { ...json, parameters: { ...parameters, sampleCount: n } }
}

/** The number of images if the caller's own is blank, which vendors may read as their default; else undefined. */
export const countForBlank = ({ endpoint, json }: Pick<Call, 'endpoint' | 'json'>): number | undefined =>
  isDrawn(endpoint) && (json.n === null || json.n === '') ? countIn(json) : undefined

export const isDrawn = (endpoint: Endpoint): boolean =>
  endpoint === 'images' || endpoint === 'image-edits' || endpoint === 'predict'

/** The checked request, with the model's default size and quality. */
function imageRequestOf(json: JsonObject, model: string): ImageExtras {
  const { size, quality } = defaultOptions(model)
  return { size: textOr(json, 'size', size), quality: textOr(json, 'quality', quality), n: countIn(json) }
}

function defaultOptions(model: string): Omit<ImageExtras, 'n'> {
  const own = withoutVendor(model)
  if (own.startsWith('gpt-image')) return { size: 'auto', quality: 'auto' }
  return own.startsWith('dall-e') ? { size: '1024x1024', quality: 'standard' } : { size: '', quality: '' }
}

/** Maximum output in tokens, which a price per image ignores; 0 for models that are never priced by tokens. */
export function maxImageTokens(json: JsonObject, model: string): number {
  if (withoutVendor(model).startsWith('dall-e')) return 0
  return countIn(json) * maxTokensOfImage(textOr(json, 'quality', ''))
}

function textOr(json: JsonObject, field: string, fallback: string): string {
  const value = json[field]
  if (value === undefined || value === null || value === '') return fallback
  if (typeof value !== 'string' || value.length > MAX_NAME) throw invalid(field)
  return value
}

/** Forms carry numbers as text; invalid ones become NaN. */
function countIn({ n }: JsonObject): number {
  if (n === undefined || n === null || n === '') return 1
  return typeof n === 'number' || (typeof n === 'string' && /^\d{1,4}$/.test(n)) ? Number(n) : Number.NaN
}

const invalid = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: CODE, param: field })
