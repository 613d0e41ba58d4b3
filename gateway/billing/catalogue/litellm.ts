import { isObject, type JsonObject, numberIn } from '../../base/json/json.ts'
import { ratesOfTokens } from './rates.ts'
import { type CatalogueEntry, litellmSteps, type ReadRow } from './steps.ts'

const EXPLANATION = 'sample_spec'
/** Members with a price in US dollars per request. */
const byRequest = ['input_cost_per_request', 'output_cost_per_image', 'input_cost_per_image', 'input_cost_per_query']
/** Units this gateway cannot price in. */
const otherUnits = /_cost_per_(second|character|pixel|video|audio_per|minute|page)|_dbu_/

/**
 * Reads the rows of LiteLLM's `model_prices_and_context_window.json`: one object per model, in US dollars per token.
 */
export function* readLitellm(json: JsonObject, quotaPerUnit: number): Generator<ReadRow> {
  for (const [model, row] of Object.entries(json)) {
    if (model === EXPLANATION) continue
    yield [model, isObject(row) ? readOne(row, quotaPerUnit) : 'no_price']
  }
}

function readOne(row: JsonObject, quotaPerUnit: number): ReadRow[1] {
  const input = costOf(row, 'input_cost_per_token')
  const output = costOf(row, 'output_cost_per_token')
  if (Number.isNaN(input) || Number.isNaN(output)) return 'number'
  const isFreeOfTokens = (input ?? 0) === 0 && (output ?? 0) === 0
  if (isFreeOfTokens) {
    const other = nonTokenPrice(row)
    if (other !== undefined) return other
  }
  if (input === undefined) return output === undefined ? 'no_price' : 'output_only'
  const rates = ratesOfTokens(
    {
      input,
      output,
      cacheRead: costOf(row, 'cache_read_input_token_cost'),
      cacheWrite: costOf(row, 'cache_creation_input_token_cost'),
      image: costOf(row, 'input_cost_per_image_token'),
      audioInput: costOf(row, 'input_cost_per_audio_token'),
      audioOutput: costOf(row, 'output_cost_per_audio_token'),
    },
    quotaPerUnit,
  )
  return typeof rates === 'string'
    ? rates
    : { rates, isPartial: hasIgnoredPrices(row, output), steps: litellmSteps(row) }
}

/**
 * The price of a model without a token price: per request; `number` if that is invalid, `unit` if the price has an
 * unsupported unit, undefined if the row has no price.
 */
function nonTokenPrice(row: JsonObject): CatalogueEntry | 'unit' | 'number' | undefined {
  const [fixed] = byRequest.map((member) => costOf(row, member)).filter((cost) => cost !== undefined && cost !== 0)
  if (fixed !== undefined) return Number.isNaN(fixed) ? 'number' : { rates: { fixed }, isPartial: false }
  const isOther = Object.entries(row).some(([member, cost]) => otherUnits.test(member) && cost !== 0 && cost !== null)
  return isOther || Array.isArray(row.tiered_pricing) ? 'unit' : undefined
}

function hasIgnoredPrices(row: JsonObject, output: number | undefined): boolean {
  const { output_cost_per_reasoning_token: reasoningCost } = row
  return (
    Array.isArray(row.tiered_pricing) ||
    (typeof reasoningCost === 'number' && reasoningCost > 0 && reasoningCost !== output)
  )
}

/** Parses a price, which some files store as a string; NaN if invalid, undefined if absent. */
function costOf(row: JsonObject, member: string): number | undefined {
  const value = row[member]
  if (value === undefined || value === null) return undefined
  const cost = typeof value === 'string' && value.trim() !== '' ? Number(value) : numberIn(value)
  return cost !== undefined && Number.isFinite(cost) && cost >= 0 ? cost : Number.NaN
}
