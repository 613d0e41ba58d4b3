import { typedNumber } from '../../../../shared/pricing.ts'
import type { TextKey } from '../../../i18n.ts'
import { isPerRequest, noTexts, type PriceTexts } from './price-draft.ts'
import { type FieldsOf, fieldsOf, type PriceFields, priceProblem, type RatioMap, ratioMaps } from './price-fields.ts'
import type { PriceMap } from './price-table.ts'
import { type StepFields, type StepProblems, stepFieldsOf, stepProblemsOf, stepsOf } from './step-fields.ts'

/** The form of a model; each mode keeps its input until one is applied. */
export type PriceEntry = Readonly<{
  name: string
  mode: 'token' | 'request'
  by: 'ratio' | 'price'
  perRequest: string
  fields: PriceFields
  steps: readonly StepFields[]
}>

export type PriceEntryOf = FieldsOf & Readonly<{ isTaken: (name: string) => boolean }>

export function entryOf(name: string, texts: PriceTexts, of: FieldsOf): PriceEntry {
  const fields = fieldsOf({ ...texts, ModelPrice: '' }, of)
  return {
    name,
    mode: isPerRequest(texts) ? 'request' : 'token',
    by: 'ratio',
    perRequest: texts.ModelPrice,
    fields,
    steps: stepFieldsOf(texts.PriceSteps, fields),
  }
}

/** The numbers of the chosen mode only. */
export const textsOfEntry = ({ mode, perRequest, fields, steps }: PriceEntry): PriceTexts =>
  mode === 'request'
    ? { ...noTexts, ModelPrice: perRequest.trim() }
    : { ...fields.ratios, ModelPrice: '', PriceSteps: stepsOf(steps) }

/** Problems by field; one entry per step. */
export type PriceProblems = Readonly<Partial<Record<PriceMap | 'name', TextKey>> & { steps?: readonly StepProblems[] }>

/** Problems by field; a name is required, and that of a new model must not be taken. */
export function problemsOf(entry: PriceEntry, { isTaken }: PriceEntryOf): PriceProblems {
  const problems: Partial<Record<PriceMap | 'name', TextKey>> = {}
  const name = entry.name.trim()
  if (name === '') problems.name = 'option.required'
  else if (isTaken(name)) problems.name = 'price.dup'
  if (entry.mode === 'request') {
    const problem = numberProblem(entry.perRequest)
    return problem ? { ...problems, ModelPrice: problem } : problems
  }
  for (const map of ratioMaps) {
    const problem = entry.by === 'ratio' ? ratioProblem(map, entry.fields) : dollarProblem(map, entry.fields)
    if (problem) problems[map] = problem
  }
  const steps = stepProblemsOf(entry.steps, entry.by)
  return steps ? { ...problems, steps } : problems
}

function numberProblem(text: string): TextKey | undefined {
  if (text.trim() === '') return 'price.batch_value'
  return typedNumber(text) === undefined ? 'option.bad_number' : undefined
}

/** A model ratio is required; other ratios have defaults. */
const ratioProblem = (map: RatioMap, { ratios }: PriceFields): TextKey | undefined =>
  map !== 'ModelRatio' && ratios[map].trim() === '' ? undefined : numberProblem(ratios[map])

function dollarProblem(map: RatioMap, { prices }: PriceFields): TextKey | undefined {
  if (map === 'ModelRatio' && prices[map].trim() === '') return 'price.batch_value'
  const problem = priceProblem(map, prices)
  return problem && dollarProblems[problem]
}

const dollarProblems = {
  zero: 'price.zero',
  number: 'option.bad_number',
  base: 'priceEditor.baseMissing',
} as const satisfies Record<NonNullable<ReturnType<typeof priceProblem>>, TextKey>
