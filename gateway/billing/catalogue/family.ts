import type { PriceRates, RateName, UnreadableReason } from '../../../shared/api/catalogue.ts'
import { priceOfRatio, ratioOfPrice } from '../../../shared/pricing.ts'
import { type JsonObject, numberIn, objectIn } from '../../base/json.ts'
import { UNSET_RATIO } from '../price.ts'
import { said } from './rates.ts'
import type { ReadRow } from './reading.ts'
import { listedSteps } from './steps.ts'

/** Quota for a dollar that ratios of other gateways are counted in, where they do not say. */
const USUAL_QUOTA_PER_UNIT = 500_000

/** Quota for a dollar at the gateway that ratios come from, and at this one. */
type QuotaUnits = Readonly<{ theirs: number; ours: number }>

/** The units of an answer, which may say its own beside the prices. */
export function unitsOf(json: JsonObject, ours: number): QuotaUnits {
  const said = numberIn(json.quota_per_unit)
  return { theirs: said !== undefined && said > 0 ? said : USUAL_QUOTA_PER_UNIT, ours }
}

/** The members of both formats, by the rate that each is. */
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

/** What this gateway calls the ratio of cache writes in its own list. */
const ourCacheWrite = 'cache_creation_ratio'

/** The rows of `GET /api/pricing` of a gateway of the family: one object for each model. */
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

/** The maps of `GET /api/ratio_config` of a gateway of the family: model name to number, a map for each rate. */
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
  // What the family shows of a model that nobody has priced.
  if (model === UNSET_RATIO && (completion ?? 1) === 1) return 'unset'
  return said({
    model: ourRatio(model, units),
    completion,
    cache: numberIn(memberOf('cache')),
    create_cache: numberIn(memberOf('create_cache')),
    image: numberIn(memberOf('image')),
    audio,
    // What is said costs so many times what is heard, which says nothing alone.
    audio_completion: audio === undefined ? undefined : numberIn(memberOf('audio_completion')),
  })
}

/** The ratio that is the same price here, where a dollar may be another number of quota units. */
const ourRatio = (ratio: number, { theirs, ours }: QuotaUnits): number =>
  theirs === ours ? ratio : ratioOfPrice(priceOfRatio(ratio, theirs), ours)

const hasExpression = (mode: unknown): boolean => typeof mode === 'string' && mode.endsWith('expr')
