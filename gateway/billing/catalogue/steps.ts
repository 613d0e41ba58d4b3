import type { PriceRates, UnreadableReason } from '../../../shared/api/catalogue.ts'
import { MAX_STEPS } from '../../../shared/options/shapes.ts'
import { ratioBetween } from '../../../shared/pricing.ts'
import { isObject, type JsonObject, numberIn } from '../../base/json/json.ts'
import type { PriceStep } from '../price.ts'

/**
 * Long-prompt steps of a catalogue entry: undefined if it has none, null if they cannot be expressed as factors of its
 * price.
 */
type ReportedSteps = readonly PriceStep[] | null | undefined

/** Max members of a row that is read; a row of LiteLLM's list has about forty. */
const MAX_MEMBERS = 1000

/** Names of members with the price of a token in longer prompts: `output_cost_per_token_above_200k_tokens`. */
const stepped = /^(.+)_above_(\d{1,6})k_tokens$/

/**
 * Reads the steps of a row of LiteLLM's list; cache prices must rise by the same factor as input
 * (docs/reference/billing.md#long-prompts).
 */
export function litellmSteps(row: JsonObject): ReportedSteps {
  const found = new Map<number, Map<string, number>>()
  const members = Object.entries(row)
  if (members.length > MAX_MEMBERS) return null
  for (const [member, cost] of members) {
    const [, base = '', thousands] = stepped.exec(member) ?? []
    if (thousands === undefined || cost === null || cost === 0) continue
    const factor = factorOf(cost, row[base])
    if (factor === undefined) return null
    const above = Number(thousands) * 1000
    found.set(above, (found.get(above) ?? new Map()).set(base, factor))
  }
  const steps = [...found].sort(([one], [other]) => one - other).map(([above, factors]) => stepOf(above, factors))
  return steps.length === 0 ? undefined : allOrNull(steps)
}

export function listedSteps(value: unknown): ReportedSteps {
  if (!Array.isArray(value) || value.length === 0) return undefined
  if (value.length > MAX_STEPS) return null
  return allOrNull(value.map((step) => (isObject(step) ? readStep(step) : undefined)))
}

/** Whether the steps of an entry are in force, within rounding; true if it has no steps. */
export const hasSteps = (listed: ReportedSteps, inForce: readonly PriceStep[] = []): boolean =>
  listed === undefined ||
  (listed !== null && listed.length === inForce.length && listed.every((step, index) => isNear(step, inForce[index])))

function factorOf(cost: unknown, base: unknown): number | undefined {
  const [dividend, divisor] = [numberIn(cost), numberIn(base)]
  return dividend === undefined || divisor === undefined ? undefined : ratioBetween(dividend, divisor)
}

function stepOf(above: number, factors: ReadonlyMap<string, number>): PriceStep | undefined {
  const { input = 1, output = 1 } = { input: factors.get(INPUT), output: factors.get(OUTPUT) }
  const others = [...factors].filter(([base]) => base !== INPUT && base !== OUTPUT)
  return others.every(([, factor]) => isClose(factor, input)) ? { above, input, output } : undefined
}

const INPUT = 'input_cost_per_token'
const OUTPUT = 'output_cost_per_token'

function readStep(step: JsonObject): PriceStep | undefined {
  const [above, input, output] = [numberIn(step.above), numberIn(step.input), numberIn(step.output)]
  return above === undefined || input === undefined || output === undefined ? undefined : { above, input, output }
}

const allOrNull = (steps: readonly (PriceStep | undefined)[]): readonly PriceStep[] | null => {
  const known = steps.filter((step) => step !== undefined)
  return known.length === steps.length ? known : null
}

const isNear = (step: PriceStep, other: PriceStep | undefined): boolean =>
  other !== undefined &&
  Math.abs(step.above - other.above) <= 1 &&
  isClose(step.input, other.input) &&
  isClose(step.output, other.output)

const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-6 * Math.max(one, other)

/**
 * The price of one model; `isPartial` if the catalogue has prices for it that are read neither as rates nor as `steps`.
 */
export type CatalogueEntry = Readonly<{ rates: PriceRates; isPartial: boolean; steps?: ReportedSteps }>

export type ReadRow = readonly [model: string, read: CatalogueEntry | UnreadableReason]
