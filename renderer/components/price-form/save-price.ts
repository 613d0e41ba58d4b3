import { z } from 'zod'
import { option } from '../../../shared/api/option.ts'
import { parsed } from '../../../shared/json.ts'
import { send } from '../../api/client.ts'

/** What a model is to cost, in dollars for a million tokens. */
type Price = Readonly<{ model: string; input: number; output: number }>

const ratios = z.record(z.string(), z.number())
const million = 1_000_000

/** Writes a price as the two ratios it is kept as, beside those of the other models (docs/reference/billing.md). */
export async function savePrice({ model, input, output }: Price, quotaPerUnit: number): Promise<void> {
  const stored = await send(option.list, {})
  const withModel = (key: string, ratio: number) => {
    const known = ratios.catch({}).parse(parsed(stored.find((one) => one.key === key)?.value ?? '{}'))
    return { key, value: JSON.stringify({ ...known, [model]: ratio }) }
  }
  // The ratio of the output first: the model has a price as soon as it has the other.
  await send(option.update, { query: {}, body: withModel('CompletionRatio', rounded(output / input)) })
  await send(option.update, { query: {}, body: withModel('ModelRatio', rounded((input * quotaPerUnit) / million)) })
}

/** As exact as a price is ever written, without the dust of binary fractions. */
const rounded = (ratio: number): number => Number(ratio.toPrecision(12))
