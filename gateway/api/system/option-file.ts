import { MAX_VALUE } from '../../../shared/api/option.ts'
import { type ImportItem, optionFile, SETTINGS_FILE } from '../../../shared/api/option-file.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, type MessageParams, nested } from '../../../shared/messages/format.ts'
import { isOptionKey, labelOf, type OptionKey, options } from '../../../shared/options/index.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { mapYielding } from '../../base/fair-yield.ts'
import type { WantedValue } from '../../settings/checks.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Served, serve } from '../serve.ts'
import type { OptionAuthor, OptionWriter } from './option-writer.ts'

type OptionFileDeps = Readonly<{
  settings: Pick<Settings, 'all' | 'states' | 'isInForce'>
  writer: OptionWriter
  clock: Clock
}>

type GivenFile = Readonly<{ product: string; version: number; options: Readonly<Record<string, unknown>> }>

/** Options that affect every link, or the value of every balance: only imported if named explicitly. */
const confirmedOptions: readonly OptionKey[] = ['ServerAddress', 'QuotaPerUnit']

/** Max characters shown of an unknown key. */
const MAX_KEY_SHOWN = 200

/** Exports and imports all settings as one file (docs/reference/options.md#export-and-import). Excludes secrets. */
export function optionFileApi({ settings, writer, clock }: OptionFileDeps): Served[] {
  const inForce = () => new Map<string, string>(settings.all().map(({ key, value }) => [key, value]))

  async function sortAll(file: GivenFile, author: OptionAuthor): Promise<ImportItem[]> {
    const take = ([key, value]: readonly [string, unknown]) => sort(key, textOf(value), settings)
    const sorted = await mapYielding(Object.entries(file.options), take, 1)
    const changes = sorted.flatMap(({ item: { key, after, outcome }, error }) =>
      outcome === 'change' && !error ? [{ key, value: after }] : [],
    )
    const refused = await writer.refusals(changes, author)
    const values = inForce()
    const why = (error: GatewayError) => formatMessage(author.caller.locale, error.key, error.params)
    return sorted.map(({ item, error = refused.get(item.key) }) => {
      const before = values.get(item.key) ?? ''
      if (item.outcome === 'change' && error) return { ...item, before, outcome: 'refused', why: why(error) }
      return item.outcome === 'change' ? { ...item, before } : item
    })
  }

  return serve(optionFile, {
    export: () => {
      const changed = new Set(settings.states().flatMap(({ key, isDefault }) => (isDefault ? [] : [key])))
      const values = settings.all().filter(({ key }) => changed.has(key))
      const contents = Object.fromEntries(values.map(({ key, value }) => [key, value]))
      return { ...SETTINGS_FILE, exported_at: unixSeconds(clock), options: contents }
    },
    import: async ({ body, actor, caller }) => {
      checkFile(body.file)
      const author: OptionAuthor = { actor, caller, origin: 'import' }
      const items = await sortAll(body.file, author)
      if (body.dry_run) return { data: { items, applied: 0 }, extras: {} }
      const changes = changesOf(chosenOf(items, body.keys), body.base ?? {})
      if (changes.length === 0) return { data: { items, applied: 0 }, extras: {} }
      const saved = await writer.save(changes, author)
      return 'failed' in saved ? saved : { data: { items, applied: changes.length }, extras: {} }
    },
  })
}

function checkFile({ product, version }: GivenFile): void {
  if (product !== SETTINGS_FILE.product) throw refuse('invalid', 'option.file_foreign')
  if (version > SETTINGS_FILE.version) throw refuse('invalid', 'option.file_newer')
}

/** The outcome of one option of the file, independent of the others; `error` is the refusal of a change. */
function sort(
  key: string,
  after: string | undefined,
  settings: Pick<Settings, 'isInForce'>,
): Readonly<{ item: ImportItem; error?: GatewayError }> {
  const silent = { key, before: '', after: '', why: '', needs_choice: false }
  if (!isOptionKey(key)) return { item: { ...silent, key: key.slice(0, MAX_KEY_SHOWN), outcome: 'unknown' } }
  if (options[key].secret) return { item: { ...silent, outcome: 'secret' } }
  if (after === undefined) return { item: { ...silent, outcome: 'change' }, error: refusedFor(key, 'param.invalid') }
  if (after.length > MAX_VALUE)
    return { item: { ...silent, outcome: 'change' }, error: refusedFor(key, 'input.too_long', { max: MAX_VALUE }) }
  if (settings.isInForce(key, after)) return { item: { ...silent, outcome: 'same' } }
  return { item: { ...silent, after, outcome: 'change', needs_choice: confirmedOptions.includes(key) } }
}

const refusedFor = (key: OptionKey, why: MessageKey, params: MessageParams = {}): GatewayError =>
  refuse('invalid', 'option.refused', { ...params, option: nested(labelOf(key)), why: nested(why) })

/** The text of a value in the file; undefined for null, which has no text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value === null ? undefined : JSON.stringify(value)
}

/**
 * The items to import: the named ones, even unchanged or refused; without names, those that change a value and need
 * no confirmation.
 */
function chosenOf(items: readonly ImportItem[], keys: readonly string[] | undefined): readonly ImportItem[] {
  if (keys === undefined) return items.filter(({ outcome, needs_choice }) => outcome === 'change' && !needs_choice)
  const named = new Set(keys)
  return items.filter(({ key }) => named.has(key))
}

/** The chosen items that would change; throws if one of them is refused, since all or none are imported. */
function changesOf(chosen: readonly ImportItem[], base: Readonly<Record<string, string>>): WantedValue[] {
  const refused = chosen.find(({ outcome }) => outcome === 'refused')
  if (refused) throw refuse('invalid', 'option.import_refused', { key: refused.key, why: refused.why })
  return chosen.flatMap(({ key, after, outcome }) =>
    outcome === 'change' ? [{ key, value: after, base: Object.hasOwn(base, key) ? base[key] : undefined }] : [],
  )
}
