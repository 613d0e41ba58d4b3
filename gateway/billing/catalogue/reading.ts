import { type CatalogueFormat, MAX_CATALOGUE_MODELS, type UnreadableReason } from '../../../shared/api/catalogue.ts'
import { pricedName } from '../../../shared/priced-name.ts'
import { refuse } from '../../base/errors.ts'
import { mapYielding } from '../../base/fair-yield.ts'
import { isObject, type JsonObject } from '../../base/json/json.ts'
import { readPricing, readRatioConfig, unitsOf } from './family.ts'
import { readLitellm } from './litellm.ts'
import { readOpenRouter } from './open-router.ts'
import { isKeepable } from './rates.ts'
import type { CatalogueEntry, ReadRow } from './steps.ts'

export type Catalogue = Readonly<{
  format: CatalogueFormat
  entries: ReadonlyMap<string, CatalogueEntry>
  unreadable: readonly Readonly<{ model: string; reason: UnreadableReason }>[]
}>

/**
 * Reads a catalogue in any supported format (docs/reference/billing.md#price-catalogues). Throws if the format is
 * unknown or there are too many models.
 */
export async function readCatalogue(json: unknown, quotaPerUnit: number): Promise<Catalogue> {
  const found = formatIn(json)
  if (!found) throw refuse('invalid', 'catalogue.unknown_format')
  return catalogueOf(found.format, found.rows(quotaPerUnit))
}

/** Collects rows; of two with the same name, the later wins. */
export async function catalogueOf(format: CatalogueFormat, rows: Iterable<ReadRow>): Promise<Catalogue> {
  const entries = new Map<string, CatalogueEntry>()
  const unreadable: { model: string; reason: UnreadableReason }[] = []
  await mapYielding(rows, ([model, read]) => {
    if (entries.size + unreadable.length >= MAX_CATALOGUE_MODELS)
      throw refuse('invalid', 'catalogue.too_many', { max: MAX_CATALOGUE_MODELS })
    const reason = reasonAgainst(model, read)
    if (reason) unreadable.push({ model: model.slice(0, MAX_NAME), reason })
    else entries.set(model, read as CatalogueEntry) // anything else is a reason
  })
  return { format, entries, unreadable }
}

type Found = Readonly<{ format: CatalogueFormat; rows: (quotaPerUnit: number) => Iterable<ReadRow> }>

function formatIn(json: unknown): Found | undefined {
  if (!isObject(json)) return undefined
  const { data } = json
  if (Array.isArray(data)) return listIn(data, json)
  if (isObject(data)) return isRatioConfig(data) ? ratioConfig(data) : undefined
  if (isRatioConfig(json)) return ratioConfig(json)
  const rows = Object.values(json)
  const isLitellm = rows.some((row) => isObject(row) && ('litellm_provider' in row || 'input_cost_per_token' in row))
  return isLitellm ? { format: 'litellm', rows: (quotaPerUnit) => readLitellm(json, quotaPerUnit) } : undefined
}

function listIn(list: readonly unknown[], json: JsonObject): Found | undefined {
  const rows = list.filter(isObject)
  if (rows.some((row) => 'model_name' in row))
    return { format: 'pricing', rows: (quotaPerUnit) => readPricing(rows, unitsOf(json, quotaPerUnit)) }
  if (rows.some((row) => 'pricing' in row))
    return { format: 'openrouter', rows: (quotaPerUnit) => readOpenRouter(rows, quotaPerUnit) }
  return undefined
}

const isRatioConfig = (data: JsonObject) => isObject(data.model_ratio) || isObject(data.model_price)

const ratioConfig = (data: JsonObject): Found => ({
  format: 'ratio_config',
  rows: (quotaPerUnit) => readRatioConfig(data, unitsOf(data, quotaPerUnit)),
})

/** Longer names are rejected, and reported cut to this length. */
const MAX_NAME = 255

function reasonAgainst(model: string, read: ReadRow[1]): UnreadableReason | undefined {
  if (
    model === '' ||
    model !== model.trim() ||
    model.length > MAX_NAME ||
    model === '__proto__' ||
    /\p{Cc}/u.test(model)
  )
    return 'name'
  if (typeof read === 'string') return read
  if (!isKeepable(read.rates)) return 'number'
  return pricedName(model) === model ? undefined : 'folded'
}
