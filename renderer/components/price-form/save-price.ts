import * as z from 'zod/mini'
import { option } from '../../../shared/api/option.ts'
import { parsed } from '../../../shared/json.ts'
import { ratioBetween, ratioOfPrice } from '../../../shared/pricing.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { send } from '../../api/client.ts'
import { conflictsIn } from '../../api/option-conflicts.ts'
import { showFailure } from '../toasts.ts'

/** A model's price in US dollars per million tokens; positive. */
type Price = Readonly<{ model: string; input: number; output: number }>

const ratios = z.catch(z.record(z.string(), z.number()), {})

/**
 * Maximum attempts to save a price: another administrator may change one at the same time, but not this often in a row.
 */
const attempts = 4

/**
 * Saves a price as the two ratios it is stored as (docs/reference/billing.md). Merges with prices saved concurrently.
 */
export async function savePrice(price: Price, quotaPerUnit: number): Promise<void> {
  for (let left = attempts - 1; ; left -= 1) {
    const stored = await send(option.list, {})
    const changes = changesFor(price, quotaPerUnit, (key) => stored.find((one) => one.key === key)?.value)
    try {
      await send(option.updateMany, { query: {}, body: { changes } }, { quiet: true })
      return
    } catch (error) {
      if (conflictsIn(error).length > 0 && left > 0) continue
      if (error instanceof CallFailure && error.status !== 401) showFailure(error)
      throw error
    }
  }
}

function changesFor(
  { model, input, output }: Price,
  quotaPerUnit: number,
  storedOf: (key: string) => string | undefined,
) {
  const withModel = (key: string, ratio: number) => {
    const base = storedOf(key) ?? '{}'
    return { key, value: JSON.stringify({ ...ratios.parse(parsed(base)), [model]: ratio }), base }
  }
  return [
    withModel('ModelRatio', ratioOfPrice(input, quotaPerUnit)),
    withModel('CompletionRatio', ratioBetween(output, input) ?? 1),
  ]
}
