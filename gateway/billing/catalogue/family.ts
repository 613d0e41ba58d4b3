import type { PriceRates, RateName, UnreadableReason } from '../../../shared/api/catalogue.ts'
import { priceOfRatio, ratioOfPrice } from '../../../shared/pricing.ts'
import { type JsonObject, numberIn, objectIn } from '../../base/json/json.ts'
import { UNSET_RATIO } from '../price.ts'
import { definedRates } from './rates.ts'
import { listedSteps, type ReadRow } from './steps.ts'

/** Quota per dollar assumed for ratios of other gateways that do not state theirs. */
const USUAL_QUOTA_PER_UNIT = 500_000

/** Quota per dollar at the gateway the ratios come from, and at this one. */
type QuotaUnits = Readonly<{ theirs: number; ours: number }>

/** The quota units of a response, which may state its unit next to the prices. */
export function unitsOf(json: JsonObject, ours: number): QuotaUnits {
  const stated = numberIn(json.quota_per_unit)
  return { theirs: stated !== undefined && stated > 0 ? stated : USUAL_QUOTA_PER_UNIT, ours }
}

const members = {
  fixed: 'model_price',
  model: 'model_ratio',
  completion: 'completion_ratio',
  cache: 'cache_ratio',
  create_cache: 'create_cache_ratio',
  image: 'image_ratio',
  audio: 'audio_ratio',
  audio_completion: 'audio_completion_ratio',
} as const satisfies Record<RateName, string>

/** This gateway's name for the cache-write ratio in its own list. */
const ourCacheWrite = 'cache_creation_ratio'

/** Reads the rows of `GET /api/pricing` of a related gateway: one object per model. */
export function* readPricing(rows: readonly JsonObject[], units: QuotaUnits): Generator<ReadRow> {
  for (const row of rows) {
    const model = typeof row.model_name === 'string' ? row.model_name : ''
    if (hasExpression(row.billing_mode)) {
      yield [model, 'expression']
      continue
    }
    if (row.unset === true) {
      yield [model, 'unset']
      continue
    }
    const memberOf = (name: RateName) =>
      row[members[name]] ?? (name === 'create_cache' ? row[ourCacheWrite] : undefined)
    const read = readOne(memberOf, row.quota_type === 1, units)
    yield [model, typeof read === 'string' ? read : { ...read, steps: listedSteps(row.price_steps) }]
  }
}

/** Reads the maps of `GET /api/ratio_config` of a related gateway: one map per rate, from model name to number. */
export function* readRatioConfig(data: JsonObject, units: QuotaUnits): Generator<ReadRow> {
  const maps = Object.fromEntries(Object.values(members).map((member) => [member, objectIn(data[member])]))
  const modes = objectIn(data.billing_mode)
  const prices = maps[members.fixed] ?? {}
  for (const model of new Set([...Object.keys(prices), ...Object.keys(maps[members.model] ?? {})])) {
    if (Object.hasOwn(modes, model) && hasExpression(modes[model])) {
      yield [model, 'expression']
      continue
    }
    const memberOf = (name: RateName) => {
      const map = maps[members[name]] ?? {}
      return Object.hasOwn(map, model) ? map[model] : undefined
    }
    yield [model, readOne(memberOf, Object.hasOwn(prices, model), units)]
  }
}

function readOne(memberOf: (name: RateName) => unknown, isFixed: boolean, units: QuotaUnits): ReadRow[1] {
  if (isFixed) {
    const fixed = numberIn(memberOf('fixed'))
    return fixed === undefined || fixed < 0 ? 'number' : { rates: { fixed }, isPartial: false }
  }
  const rates = ratiosOf(memberOf, units)
  return typeof rates === 'string' ? rates : { rates, isPartial: false }
}

function ratiosOf(memberOf: (name: RateName) => unknown, units: QuotaUnits): PriceRates | UnreadableReason {
  const model = numberIn(memberOf('model'))
  if (model === undefined || model < 0) return 'number'
  const completion = numberIn(memberOf('completion'))
  const audio = numberIn(memberOf('audio'))
  // Related gateways report this for a model without a price.
  if (model === UNSET_RATIO && (completion ?? 1) === 1) return 'unset'
  return definedRates({
    model: ourRatio(model, units),
    completion,
    cache: numberIn(memberOf('cache')),
    create_cache: numberIn(memberOf('create_cache')),
    image: numberIn(memberOf('image')),
    audio,
    // Audio output is priced as a multiple of audio input, so it is meaningless without it.
    audio_completion: audio === undefined ? undefined : numberIn(memberOf('audio_completion')),
  })
}

const ourRatio = (ratio: number, { theirs, ours }: QuotaUnits): number =>
  theirs === ours ? ratio : ratioOfPrice(priceOfRatio(ratio, theirs), ours)

const hasExpression = (mode: unknown): boolean => typeof mode === 'string' && mode.endsWith('expr')
