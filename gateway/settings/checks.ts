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
import { metadataHost } from '../base/metadata-address.ts'
import { isFilled, type OptionValues, withValue } from './values.ts'

/** A value that somebody wants an option to have, as its string; `base` is the one that was in force when it was chosen. */
export type WantedValue = Readonly<{ key: string; value: string; base?: string | undefined }>

/** A wanted value that has passed its own check. */
type CheckedValue = Readonly<{ key: OptionKey; value: OptionValue<OptionKey> }>

/** The values as they would be with all of these in force. */
export const withAll = (values: OptionValues, checked: readonly CheckedValue[]): OptionValues =>
  checked.reduce((next, { key, value }) => withValue(next, key, value), values)

/** Others have their turn after each value: a table of prices takes some ten milliseconds. */
const ONE_VALUE = 1

/** All of the wanted values, checked; refuses with the first that cannot be, by itself or beside the others. */
export async function checkAll(wanted: readonly WantedValue[], values: OptionValues): Promise<readonly CheckedValue[]> {
  const checked = await mapYielding(wanted, checkOne, ONE_VALUE)
  if (new Set(checked.map(({ key }) => key)).size < checked.length) throw refuse('invalid', 'option.twice')
  const next = withAll(values, checked)
  const lacking = checked
    .map((one) => lackOf(one, next) ?? leftOpen(one, values, next))
    .find((lack) => lack !== undefined)
  if (lacking) throw lacking
  return checked
}

/** Those of the wanted values that could be taken together, and why each other one could not. */
export async function sortOut(wanted: readonly WantedValue[], values: OptionValues) {
  const refused = new Map<string, GatewayError>()
  const take = (one: WantedValue) => {
    try {
      return [checkOne(one)]
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      refused.set(one.key, error)
      return []
    }
  }
  let checked = (await mapYielding(wanted, take, ONE_VALUE)).flat()
  for (;;) {
    const next = withAll(values, checked)
    const lacking = checked.flatMap((one) => {
      const lack = lackOf(one, next) ?? leftOpen(one, values, next)
      return lack ? [{ key: one.key, lack }] : []
    })
    if (lacking.length === 0) return { checked, refused }
    // Without these, another may lack something.
    for (const { key, lack } of lacking) refused.set(key, lack)
    checked = checked.filter(({ key }) => !refused.has(key))
  }
}

/** Whether a text stands for the value in force, however it is written. */
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

/** Why a flag may not be turned on: settings that it depends on are empty (docs/reference/options.md#dependencies). */
function lackOf({ key, value }: CheckedValue, values: OptionValues): GatewayError | undefined {
  if (value !== true) return undefined
  const missing = (options[key].needs ?? []).filter(isOptionKey).filter((needed) => !isFilled(values[needed]))
  if (missing.length === 0) return undefined
  const fields = missing.map((needed) => nested(labelOf(needed))).join(', ')
  return refuse('invalid', 'option.need_first', { name: nested(labelOf(key)), fields })
}

/** Why a setting may not be emptied: flags that depend on it are on, and stay on. */
function leftOpen({ key }: CheckedValue, before: OptionValues, next: OptionValues): GatewayError | undefined {
  if (isFilled(next[key]) || !isFilled(before[key])) return undefined
  const flags = (dependents.get(key) ?? []).filter((flag) => next[flag] === true)
  if (flags.length === 0) return undefined
  const named = flags.map((flag) => nested(labelOf(flag))).join(', ')
  return refuse('invalid', 'option.turn_off_first', { name: nested(labelOf(key)), flags: named })
}

/** The flags that need a setting, by its key. */
const dependents: ReadonlyMap<string, readonly OptionKey[]> = new Map(
  optionKeys.map((key) => [key, optionKeys.filter((flag) => options[flag].needs?.includes(key))]),
)

/**
 * The checked value of a text. What is not taken is refused with the option's name, the line and column in a text of JSON,
 * and what is allowed (docs/reference/options.md#refusals); never with the value itself.
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

/** No call goes to a metadata service, so that such an address would fail only later, where nobody looks. */
const refusal = (option: OptionKey): GatewayError =>
  refuse('invalid', 'option.refused', { option: nested(labelOf(option)), why: nested('option.address_metadata') })

function refusedAs(option: OptionKey, { key, params, place }: OptionRefusal): GatewayError {
  const named = { ...params, option: nested(labelOf(option)), why: nested(key), ...place }
  return refuse('invalid', place ? 'option.refused_at' : 'option.refused', named)
}
