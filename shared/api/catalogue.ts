import { z } from 'zod'
import { call } from './call.ts'
import { text } from './fields.ts'

/** Maximum size of a catalogue, and its maximum number of models; larger ones are refused. */
export const MAX_CATALOGUE_MEBIBYTES = 24
export const MAX_CATALOGUE_MODELS = 20_000

/** Published price formats (docs/reference/billing.md#price-catalogues). */
export const catalogueFormats = ['bundled', 'pricing', 'ratio_config', 'litellm', 'openrouter'] as const
export type CatalogueFormat = (typeof catalogueFormats)[number]

/**
 * Why a catalogue's model cannot be imported. `unit`: priced by seconds, characters or pixels; `dynamic`: priced per
 * request; `unset`: its own gateway has no price for it; `folded`: it has another price name here; `several`: its
 * entries with different vendor prefixes have different prices.
 */
const unreadableReasons = [
  'name',
  'number',
  'no_price',
  'unit',
  'dynamic',
  'unset',
  'expression',
  'output_only',
  'folded',
  'several',
] as const
export type UnreadableReason = (typeof unreadableReasons)[number]

const amount = z.number().min(0)

/** A model's values in the price maps; absent ones are not set. */
export const rates = z
  .object({
    fixed: amount.optional().describe('US dollars per request; the ratios are then ignored.'),
    model: amount.optional(),
    completion: amount.optional(),
    cache: amount.optional(),
    create_cache: amount.optional(),
    image: amount.optional(),
    audio: amount.optional(),
    audio_completion: amount.optional(),
  })
  .meta({ id: 'PriceRates' })
export type PriceRates = Readonly<z.infer<typeof rates>>
export type RateName = keyof PriceRates

const catalogueDollars = z.object({
  input: amount.optional(),
  output: amount.optional(),
  cache_read: amount.optional(),
  cache_write: amount.optional(),
  image: amount.optional(),
  audio_input: amount.optional(),
  audio_output: amount.optional(),
})

export const cataloguePrice = z
  .object({
    rates,
    dollars: catalogueDollars.describe('US dollars per million tokens; empty if the price is per request.'),
  })
  .meta({ id: 'CataloguePrice' })
export type CataloguePrice = z.infer<typeof cataloguePrice>

const row = z
  .object({
    model: z.string(),
    source_name: z.string().describe('Name of the model in the catalogue.'),
    state: z.enum(['new', 'changed']),
    before: cataloguePrice.nullable().describe('Null if the model has no price in this gateway.'),
    after: cataloguePrice,
    percent: z
      .number()
      .nullable()
      .describe('The largest relative change among its prices; null if it had no price, or a price of 0.'),
    is_hand_made: z.boolean().describe('Set by an operator; only changed if it is selected.'),
    is_offered: z.boolean().describe('Whether an enabled channel offers the model.'),
    is_partial: z
      .boolean()
      .describe('The catalogue has parts of this price that are not imported, such as steps that are not in force.'),
    is_suggested: z
      .boolean()
      .describe(
        'Whether the model is offered or priced in this gateway, and its price is neither set by hand nor free.',
      ),
  })
  .meta({ id: 'CatalogueRow' })
export type CatalogueRow = z.infer<typeof row>

const comparison = z
  .object({
    digest: z.string().describe('Identifies the catalogue and the prices with which it was compared.'),
    format: z.enum(catalogueFormats),
    total: z.int().describe('Number of models in the catalogue with a readable price.'),
    rows: z.array(row).describe('New and changed prices, by name.'),
    same: z.array(z.string()),
    only_here: z.array(z.string()).describe('Models that have a price in this gateway, but are not in the catalogue.'),
    unreadable: z
      .array(z.object({ model: z.string(), reason: z.enum(unreadableReasons) }))
      .describe('The first 2,000.'),
    unreadable_total: z.int(),
  })
  .meta({ id: 'CatalogueComparison' })
export type CatalogueComparison = z.infer<typeof comparison>

const sync = z
  .object({
    id: z.int(),
    format: z.enum(catalogueFormats),
    origin: z
      .string()
      .describe('The address from which it was fetched; empty for the built-in catalogue and for a file.'),
    models: z.int(),
    username: z.string(),
    created_at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'PriceSync' })
export type PriceSync = z.infer<typeof sync>

const digest = z.string().min(1).max(128)
const models = z.array(z.string().min(1).max(255)).min(1).max(MAX_CATALOGUE_MODELS)
/** When prices take effect: at most the end of the year 9999. */
export const validFrom = z.int().min(0).max(253_402_300_799).describe('Unix seconds, in the future.')
export const scheduleNote = text(500).default('')

/**
 * Prices of a published catalogue: compared, then imported or scheduled (docs/reference/billing.md#price-catalogues).
 */
export const catalogue = {
  compare: call({
    method: 'POST',
    path: '/api/pricing/catalogue/compare',
    summary: 'Compares the prices in force with a catalogue: built in, at an address, or a file.',
    access: 'operator',
    body: z.discriminatedUnion('source', [
      z.object({ source: z.literal('bundled') }),
      z.object({ source: z.literal('url'), url: z.string().trim().min(1).max(2000) }),
      z.object({ source: z.literal('file'), file: z.unknown().describe('The JSON text of the file.') }),
    ]),
    bodyMebibytes: MAX_CATALOGUE_MEBIBYTES,
    answer: comparison,
  }),
  apply: call({
    method: 'POST',
    path: '/api/pricing/catalogue/apply',
    summary: 'Applies the selected prices of a comparison; refused if anything was changed since the comparison.',
    access: 'operator',
    body: z.object({ digest, models }),
    answer: sync,
  }),
  schedule: call({
    method: 'POST',
    path: '/api/pricing/catalogue/schedule',
    summary: 'Schedules the selected prices of a comparison, and returns the number of models.',
    access: 'operator',
    body: z.object({ digest, models, valid_from: validFrom, note: scheduleNote }),
    answer: z.int(),
  }),
  last: call({
    method: 'GET',
    path: '/api/pricing/catalogue',
    summary: 'Returns the last update of prices that can be undone, or null.',
    access: 'operator',
    answer: sync.nullable(),
  }),
  undo: call({
    method: 'POST',
    path: '/api/pricing/catalogue/undo',
    summary: 'Undoes the last update of prices, except for models that were changed since.',
    access: 'operator',
    body: z.object({ id: z.int().positive() }),
    answer: z.object({
      undone: z.int(),
      kept: z.array(z.string()).describe('Models whose price was changed afterwards; these prices are not undone.'),
    }),
  }),
}
