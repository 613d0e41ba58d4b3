import { decimal, written } from '../../../../shared/decimal.ts'
import { printed, productOf, ratioBetween, typedNumber } from '../../../../shared/pricing.ts'
import type { TextKey } from '../../../i18n.ts'
import type { PriceFields } from './price-fields.ts'
import type { PriceStep } from './price-table.ts'

type Pair = Readonly<{ input: string; output: string }>
export type StepKind = keyof Pair

/**
 * A long-prompt step in the form (docs/reference/screens.md#pricing-editors): tokens, factors and the resulting
 * dollars per million tokens, kept in sync.
 */
export type StepFields = Readonly<{ id: number; above: string; ratios: Pair; prices: Pair }>

export type StepProblems = Readonly<Partial<Record<StepKind | 'above', TextKey>>>

/** The limits of stored steps (shared/options/shapes.ts). */
export const MAX_STEPS = 8
const MAX_TOKENS = 100_000_000

export const stepFieldsOf = (steps: readonly PriceStep[], fields: PriceFields): readonly StepFields[] =>
  steps.map(({ above, input, output }, id) =>
    withPrices({ id, above: String(above), ratios: { input: allDigits(input), output: allDigits(output) } }, fields),
  )

export const withStep = (steps: readonly StepFields[]): readonly StepFields[] => [
  ...steps,
  { id: Math.max(-1, ...steps.map(({ id }) => id)) + 1, above: '', ratios: nothing, prices: nothing },
]

export function withTyped(
  step: StepFields,
  by: 'ratio' | 'price',
  typed: Partial<Pair>,
  fields: PriceFields,
): StepFields {
  if (by === 'ratio') return withPrices({ ...step, ratios: { ...step.ratios, ...typed } }, fields)
  return withRatios({ ...step, prices: { ...step.prices, ...typed } }, fields)
}

/**
 * Updates the steps after a change of the base prices: the entered values (ratios or prices, depending on `by`) stay,
 * and the derived ones change.
 */
export const following = (
  steps: readonly StepFields[],
  by: 'ratio' | 'price',
  fields: PriceFields,
): readonly StepFields[] => steps.map((step) => withTyped(step, by, {}, fields))

/** Problems by step; undefined if there are none. */
export function stepProblemsOf(
  steps: readonly StepFields[],
  by: 'ratio' | 'price',
): readonly StepProblems[] | undefined {
  const all = steps.map((step, index): StepProblems => {
    const above = aboveProblem(step, steps[index - 1])
    const input = valueProblem(step, by, 'input')
    const output = valueProblem(step, by, 'output')
    return { ...(above && { above }), ...(input && { input }), ...(output && { output }) }
  })
  return all.some((problems) => Object.keys(problems).length > 0) ? all : undefined
}

export const stepsOf = (steps: readonly StepFields[]): readonly PriceStep[] =>
  steps.map(({ above, ratios }) => ({
    above: Number(above.trim()),
    input: typedNumber(ratios.input) ?? 0,
    output: typedNumber(ratios.output) ?? 0,
  }))

function aboveProblem({ above }: StepFields, before: StepFields | undefined): TextKey | undefined {
  const tokens = tokensIn(above)
  if (tokens === undefined) return 'priceEditor.stepTokens'
  return tokens > (tokensIn(before?.above ?? '0') ?? 0) ? undefined : 'priceEditor.stepOrder'
}

function tokensIn(text: string): number | undefined {
  const tokens = /^\d+$/.test(text.trim()) ? Number(text) : 0
  return tokens >= 1 && tokens <= MAX_TOKENS ? tokens : undefined
}

function valueProblem({ ratios, prices }: StepFields, by: 'ratio' | 'price', kind: StepKind): TextKey | undefined {
  const text = (by === 'ratio' ? ratios : prices)[kind]
  if (text.trim() === '') return 'price.batch_value'
  if (typedNumber(text) === undefined) return 'option.bad_number'
  if (ratios[kind] !== '') return undefined
  return kind === 'input' ? 'priceEditor.baseMissing' : 'priceEditor.outputMissing'
}

const bases = { input: 'ModelRatio', output: 'CompletionRatio' } as const satisfies Record<StepKind, string>

const withPrices = (step: Omit<StepFields, 'prices'>, { prices }: PriceFields): StepFields => {
  const priceOf = (kind: StepKind) => {
    const [factor, base] = [typedNumber(step.ratios[kind]), typedNumber(prices[bases[kind]])]
    return factor === undefined || base === undefined ? '' : printed(productOf(base, factor))
  }
  return { ...step, prices: { input: priceOf('input'), output: priceOf('output') } }
}

const withRatios = (step: StepFields, { prices }: PriceFields): StepFields => {
  const ratioOf = (kind: StepKind) => {
    const [price, base] = [typedNumber(step.prices[kind]), typedNumber(prices[bases[kind]])]
    const ratio = price === undefined || base === undefined ? undefined : ratioBetween(price, base)
    return ratio === undefined ? '' : allDigits(ratio)
  }
  return { ...step, ratios: { input: ratioOf('input'), output: ratioOf('output') } }
}

const nothing: Pair = { input: '', output: '' }

/** With full precision: fewer digits would not convert back. */
const allDigits = (value: number): string => written(decimal(value))
