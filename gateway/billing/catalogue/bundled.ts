import { completionRules } from '../../../shared/completion-rules.ts'
import { matchRule } from '../../../shared/ratio-rules.ts'
import { pricingDefaults } from '../../settings/pricing-defaults/index.ts'
import { definedRates, entriesOf, type PriceMaps } from './rates.ts'
import { type Catalogue, catalogueOf } from './reading.ts'
import type { ReadRow } from './steps.ts'

export const builtIn: PriceMaps = pricingDefaults

/** The built-in prices, as a catalogue (docs/reference/billing.md#built-in-prices). */
export const bundledCatalogue = (): Promise<Catalogue> => catalogueOf('bundled', rowsOf())

function* rowsOf(): Generator<ReadRow> {
  for (const model of new Set([...Object.keys(builtIn.ModelPrice), ...Object.keys(builtIn.ModelRatio)])) {
    const { fixed, ...ratios } = entriesOf(builtIn, model)
    const completion = ratios.completion ?? matchRule(completionRules, model)
    yield [
      model,
      { rates: fixed === undefined ? definedRates({ ...ratios, completion }) : { fixed }, isPartial: false },
    ]
  }
}
