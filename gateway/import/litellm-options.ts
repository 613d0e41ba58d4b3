import { numberIn } from '../base/json.ts'
import type { Deployment, LitellmFile } from './litellm-file.ts'
import { type OptionReading, takeOption } from './options.ts'

/** Dollars for a million tokens that a ratio of 1 stands for (docs/reference/billing.md#price-lookup). */
const DOLLARS_A_RATIO = 2
const MILLION = 1_000_000
/** Digits that are kept: what a price has is far fewer, what a division of binary fractions leaves is beyond. */
const DIGITS = 12

/** What a file says of prices and retries, as options that are taken like a sibling's; prices join those that are here. */
export function litellmOptions(file: LitellmFile, reading: OptionReading): OptionReading['options'] {
  const maps = pricesIn(file.deployments)
  for (const [key, own] of Object.entries(maps)) {
    if (Object.keys(own).length === 0) continue
    reading.tally.found += 1
    const before = mapOf(reading.inForce(key as keyof typeof maps))
    const usual = mapOf(reading.usual(key as keyof typeof maps))
    const isKept = ([name, price]: [string, number]) => !reading.choices.overwrite && price !== usual[name]
    const kept = Object.fromEntries(Object.entries(before).filter(isKept))
    const value = JSON.stringify({ ...before, ...own, ...kept })
    // Prices that were set here stay one by one, so it does not matter whether the map has been changed.
    takeOption({ key, value }, { ...reading, choices: { ...reading.choices, overwrite: true } })
  }
  const retries = numberIn(file.router.num_retries) ?? numberIn(file.litellm.num_retries)
  if (retries !== undefined) {
    reading.tally.found += 1
    takeOption({ key: 'RetryTimes', value: retries }, reading)
  }
  return reading.options
}

/** The value of an option that is such a map. */
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
    maps.ModelRatio[name] = tidy((input * MILLION) / DOLLARS_A_RATIO)
    if (input === 0) continue
    for (const [map, field] of [
      ['CompletionRatio', 'output_cost_per_token'],
      ['CacheRatio', 'cache_read_input_token_cost'],
      ['CreateCacheRatio', 'cache_creation_input_token_cost'],
    ] as const) {
      const other = cost(field)
      if (other !== undefined && other >= 0) maps[map][name] = tidy(other / input)
    }
  }
  return maps
}

const tidy = (value: number): number => Number(value.toPrecision(DIGITS))
