import { z } from 'zod'
import { text } from './fields.ts'
import { verdict } from './verdict.ts'

/** A vendor account that is not stored yet. */
export const unsavedChannel = z.object({
  type: z.int().min(0).max(10_000),
  key: z.string().max(200_000),
  base_url: text(2000).default(''),
  other: text(10_000).default(''),
  models: z.array(text(255)).max(10_000).default([]),
  model: text(255).default('').describe('Used instead of the first suitable model.'),
})
export type UnsavedChannel = z.output<typeof unsavedChannel>

export const dryRun = z
  .object({
    url: z.string().describe('The exact URL of a chat request.'),
    base_url: z.string().describe('The address as it should be stored.'),
    model: z.string().describe('The model of the three requests.'),
    models: z.array(z.string()),
    list: verdict,
    plain: verdict,
    stream: verdict,
    tool: verdict,
    api_format: z
      .enum(['auto', 'chat'])
      .describe('The value to store: `chat` if the server at this address has no Responses API.'),
  })
  .meta({ id: 'DryRun' })
export type DryRun = z.infer<typeof dryRun>

const price = z.number().nullable()
/** US dollars per million tokens, or per call if `fixed` is set; all null without a price. */
export const modelPrice = z
  .object({ model: z.string(), input: price, output: price, fixed: price })
  .meta({ id: 'ModelPrice' })
export type ModelPrice = z.infer<typeof modelPrice>
