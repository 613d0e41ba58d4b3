import { nested } from '../../shared/messages/format.ts'
import {
  decodeOption,
  decodeToSave,
  encodeOption,
  isOptionKey,
  labelOf,
  type OptionKey,
  type OptionValue,
  optionKeys,
  options,
} from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { mapYielding } from '../base/fair-yield.ts'
import { metadataHost } from '../base/network/metadata-address.ts'
import { isFilled, type OptionValues, withValue } from './values.ts'

/** A requested option value, as a string; `base` is the value in force when it was chosen. */
export type WantedValue = Readonly<{ key: string; value: string; base?: string | undefined }>

type CheckedValue = Readonly<{ key: OptionKey; value: OptionValue<OptionKey> }>

export const withAll = (values: OptionValues, checked: readonly CheckedValue[]): OptionValues =>
  checked.reduce((next, { key, value }) => withValue(next, key, value), values)

/** Yields after each value: a price table takes about ten milliseconds. */
const ONE_VALUE = 1

/** Checks all requested values; throws for the first that is invalid, by itself or in combination. */
export async function checkAll(
  requested: readonly WantedValue[],
  values: OptionValues,
): Promise<readonly CheckedValue[]> {
  const checked = await mapYielding(requested, checkOne, ONE_VALUE)
  if (new Set(checked.map(({ key }) => key)).size < checked.length) throw refuse('invalid', 'option.twice')
  const next = withAll(values, checked)
  const lacks = checked
    .map((one) => lackOf(one, next) ?? neededBy(one, values, next))
    .find((lack) => lack !== undefined)
  if (lacks) throw lacks
  return checked
}

/** Returns the requested values that can be applied together, and an error for each of the others. */
export async function sortOut(requested: readonly WantedValue[], values: OptionValues) {
  const refused = new Map<string, GatewayError>()
  const tryCheck = (one: WantedValue) => {
    try {
      return [checkOne(one)]
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      refused.set(one.key, error)
      return []
    }
  }
  let checked = (await mapYielding(requested, tryCheck, ONE_VALUE)).flat()
  for (;;) {
    const next = withAll(values, checked)
    const lacks = checked.flatMap((one) => {
      const lack = lackOf(one, next) ?? neededBy(one, values, next)
      return lack ? [{ key: one.key, lack }] : []
    })
    if (lacks.length === 0) return { checked, refused }
    // Without these, another value may lack a setting it needs.
    for (const { key, lack } of lacks) refused.set(key, lack)
    checked = checked.filter(({ key }) => !refused.has(key))
  }
}

/** Whether a text represents the value in force, regardless of formatting. */
export function isInForce(key: OptionKey, text: string, values: OptionValues): boolean {
  const inForce = encodeOption(key, values[key])
  if (text === inForce) return true
  try {
    return encodeOption(key, decodeOption(key, text)) === inForce
  } catch (error) {
    if (error instanceof OptionRefusal) return false
    throw error
  }
}

function checkOne({ key, value }: WantedValue): CheckedValue {
  if (!isOptionKey(key)) throw refuse('invalid', 'option.unknown', { key })
  return { key, value: decodeOrRefuse(key, value) }
}

/**
 * Returns an error if a flag must not be turned on because settings it depends on are empty
 * (docs/reference/options.md#dependencies).
 */
function lackOf({ key, value }: CheckedValue, values: OptionValues): GatewayError | undefined {
  if (value !== true) return undefined
  const missing = (options[key].needs ?? []).filter(isOptionKey).filter((needed) => !isFilled(values[needed]))
  if (missing.length === 0) return undefined
  const fields = missing.map((needed) => nested(labelOf(needed))).join(', ')
  return refuse('invalid', 'option.need_first', { name: nested(labelOf(key)), fields })
}

/** Returns an error if a setting must not be cleared because flags that depend on it stay on. */
function neededBy({ key }: CheckedValue, before: OptionValues, next: OptionValues): GatewayError | undefined {
  if (isFilled(next[key]) || !isFilled(before[key])) return undefined
  const flags = (dependents.get(key) ?? []).filter((flag) => next[flag] === true)
  if (flags.length === 0) return undefined
  const named = flags.map((flag) => nested(labelOf(flag))).join(', ')
  return refuse('invalid', 'option.turn_off_first', { name: nested(labelOf(key)), flags: named })
}

const dependents: ReadonlyMap<string, readonly OptionKey[]> = new Map(
  optionKeys.map((key) => [key, optionKeys.filter((flag) => options[flag].needs?.includes(key))]),
)

/**
 * Decodes and checks a text. Throws with the option's name, the line and column in JSON text, and what is allowed
 * (docs/reference/options.md#refusals); never with the value itself.
 */
function decodeOrRefuse(key: OptionKey, raw: string): OptionValue<OptionKey> {
  try {
    const value = decodeToSave(key, raw)
    if (isAddress(key) && metadataHost(URL.parse(String(value))?.hostname ?? '')) throw refusal(key)
    return value
  } catch (error) {
    if (error instanceof OptionRefusal) throw refusedAs(key, error)
    throw error
  }
}

const isAddress = (key: OptionKey): boolean => 'control' in options[key] && options[key].control === 'address'

/** Calls to metadata services are blocked, so such an address would otherwise fail only later, unnoticed. */
const refusal = (option: OptionKey): GatewayError =>
  refuse('invalid', 'option.refused', { option: nested(labelOf(option)), why: nested('option.address_metadata') })

function refusedAs(option: OptionKey, { key, params, position }: OptionRefusal): GatewayError {
  const named = { ...params, option: nested(labelOf(option)), why: nested(key), ...position }
  return refuse('invalid', position ? 'option.refused_at' : 'option.refused', named)
}
