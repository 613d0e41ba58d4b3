import { numberIn } from '../base/json/json.ts'
import type { Deployment, LitellmFile } from './litellm-file.ts'
import { type OptionReading, takeOption } from './options.ts'

/** Price of a million tokens at ratio 1, in dollars (docs/reference/billing.md#price-lookup). */
const DOLLARS_A_RATIO = 2
const MILLION = 1_000_000
/** Significant digits that are kept: prices have far fewer, and the rest is floating-point error. */
const DIGITS = 12

/**
 * Converts a file's prices and retries to options that are imported like those of other gateways; prices are merged
 * with existing ones.
 */
export function litellmOptions(file: LitellmFile, reading: OptionReading): OptionReading['options'] {
  const maps = pricesIn(file.deployments)
  for (const [key, imported] of Object.entries(maps)) {
    if (Object.keys(imported).length === 0) continue
    reading.tally.found += 1
    const before = mapOf(reading.inForce(key as keyof typeof maps))
    const defaults = mapOf(reading.usual(key as keyof typeof maps))
    const keepsOurs = ([name, price]: [string, number]) => !reading.choices.overwrite && price !== defaults[name]
    const ours = Object.fromEntries(Object.entries(before).filter(keepsOurs))
    const value = JSON.stringify({ ...before, ...imported, ...ours })
    // Existing prices are kept individually, so it does not matter whether the map was changed.
    takeOption({ key, value }, { ...reading, choices: { ...reading.choices, overwrite: true } })
  }
  const retries = numberIn(file.router.num_retries) ?? numberIn(file.litellm.num_retries)
  if (retries !== undefined) {
    reading.tally.found += 1
    takeOption({ key: 'RetryTimes', value: retries }, reading)
  }
  return reading.options
}

const mapOf = (text: string) => JSON.parse(text) as Record<string, number>

function pricesIn(deployments: readonly Deployment[]) {
  const maps = {
    ModelRatio: {} as Record<string, number>,
    CompletionRatio: {} as Record<string, number>,
    CacheRatio: {} as Record<string, number>,
    CreateCacheRatio: {} as Record<string, number>,
  }
  for (const { name, params, info } of deployments) {
    const cost = (field: string) => numberIn(params[field]) ?? numberIn(info[field])
    const input = cost('input_cost_per_token')
    if (name === '' || input === undefined || input < 0) continue
    maps.ModelRatio[name] = rounded((input * MILLION) / DOLLARS_A_RATIO)
    if (input === 0) continue
    for (const [map, field] of [
      ['CompletionRatio', 'output_cost_per_token'],
      ['CacheRatio', 'cache_read_input_token_cost'],
      ['CreateCacheRatio', 'cache_creation_input_token_cost'],
    ] as const) {
      const other = cost(field)
      if (other !== undefined && other >= 0) maps[map][name] = rounded(other / input)
    }
  }
  return maps
}

const rounded = (value: number): number => Number(value.toPrecision(DIGITS))
