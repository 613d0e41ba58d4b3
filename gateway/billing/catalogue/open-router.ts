import { type JsonObject, objectIn } from '../../base/json/json.ts'
import { ratesOfTokens } from './rates.ts'
import type { ReadRow } from './steps.ts'

/**
 * Reads the rows of OpenRouter's `/models`: prices are strings in US dollars per token; a negative price means
 * "variable".
 */
export function* readOpenRouter(rows: readonly JsonObject[], quotaPerUnit: number): Generator<ReadRow> {
  for (const row of rows) yield [typeof row.id === 'string' ? row.id : '', readOne(objectIn(row.pricing), quotaPerUnit)]
}

function readOne(pricing: JsonObject, quotaPerUnit: number): ReadRow[1] {
  const [input, output, request = 0] = ['prompt', 'completion', 'request'].map((member) => costOf(pricing, member))
  if (input === undefined && output === undefined) return 'no_price'
  if ([input, output, request].some((cost) => Number.isNaN(cost))) return 'number'
  if ([input, output, request].some((cost) => cost !== undefined && cost < 0)) return 'dynamic'
  if (!input && !output && request > 0) return { rates: { fixed: request }, isPartial: false }
  const rates = ratesOfTokens(
    {
      input: input ?? 0,
      output,
      cacheRead: costOf(pricing, 'input_cache_read'),
      cacheWrite: costOf(pricing, 'input_cache_write'),
      image: costOf(pricing, 'image_token'),
      audioInput: costOf(pricing, 'audio'),
      audioOutput: costOf(pricing, 'audio_output'),
    },
    quotaPerUnit,
  )
  if (typeof rates === 'string') return rates
  const hasSteps = Array.isArray(pricing.overrides) && pricing.overrides.length > 0
  return { rates, isPartial: request > 0 || hasSteps }
}

/** Parses a price string; NaN if invalid, undefined if absent. */
function costOf(pricing: JsonObject, member: string): number | undefined {
  const value = pricing[member]
  if (value === undefined || value === null || value === '') return undefined
  const cost = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(cost) ? cost : Number.NaN
}
