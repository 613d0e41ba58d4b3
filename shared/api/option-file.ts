import { z } from 'zod'
import { call } from './call.ts'
import { complaint } from './fields.ts'
import { conflicts, MAX_VALUE } from './option.ts'

/** Identifies a settings file; later formats have a higher version. */
export const SETTINGS_FILE = { product: 'Switchyard', version: 1 } as const

const MAX_KEYS = 2000

const exported = z
  .object({
    version: z.literal(SETTINGS_FILE.version),
    product: z.literal(SETTINGS_FILE.product),
    exported_at: z.int().describe('Unix seconds.'),
    options: z.record(z.string(), z.string()).describe('All options that differ from their default, without secrets.'),
  })
  .meta({ id: 'SettingsFile' })

/** A settings file, possibly edited manually: values may be plain JSON instead of text. */
const givenFile = z.object({
  version: z.int().min(1),
  product: z.string().max(200),
  exported_at: z.int().optional(),
  options: z
    .record(z.string(), z.unknown())
    .refine((options) => Object.keys(options).length <= MAX_KEYS, complaint('input.too_many', { max: MAX_KEYS })),
})

const importOutcome = z.enum(['same', 'change', 'unknown', 'refused', 'secret'])

const item = z.object({
  key: z.string(),
  outcome: importOutcome.describe(
    '`same`: already has this value; `unknown`: not an option of this release; `secret`: never imported from a file.',
  ),
  before: z.string().describe('The current value; empty unless it would change or is refused.'),
  after: z.string().describe('The value in the file; empty unless it would change or is refused.'),
  why: z.string().describe('The reason for a refusal, in the language of Accept-Language; otherwise empty.'),
  needs_choice: z
    .boolean()
    .describe('It changes addresses or the value of balances, and is imported only if `keys` names it.'),
})
const report = z
  .object({ items: z.array(item), applied: z.int().describe('Options that were changed; 0 for a dry run.') })
  .meta({ id: 'SettingsImport' })
export type ImportItem = z.infer<typeof item>
export type OptionImportReport = z.infer<typeof report>

/** Export and import of all settings (docs/reference/options.md#export-and-import). */
export const optionFile = {
  export: call({
    method: 'GET',
    path: '/api/option/export',
    summary: 'Returns a file with all options that differ from their default, without secrets.',
    access: 'operator',
    answer: exported,
  }),
  import: call({
    method: 'POST',
    path: '/api/option/import',
    summary: 'Imports the options of a file; a dry run only reports the effect on each.',
    access: 'operator',
    bodyMebibytes: 4,
    body: z.object({
      file: givenFile,
      dry_run: z.boolean().default(true),
      keys: z
        .array(z.string())
        .max(MAX_KEYS)
        .optional()
        .describe(
          'The options to import, all or none. By default, all are imported that can be and need no selection; the response gives the reason for each of the others.',
        ),
      base: z
        .record(z.string(), z.string().max(MAX_VALUE))
        .optional()
        .describe('The values at the dry run, by key. If one has changed since, nothing is saved.'),
    }),
    answer: report,
    ...conflicts,
  }),
}
