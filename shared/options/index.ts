import type { MessageKey } from '../messages/en.ts'
import type { MessageParams } from '../messages/format.ts'
import { drawing } from './drawing.ts'
import { keptBodies } from './kept-bodies.ts'
import { login } from './login.ts'
import { mail } from './mail.ts'
import { models } from './models.ts'
import { moderation } from './moderation.ts'
import { monitoring } from './monitoring.ts'
import { oauth } from './oauth.ts'
import { operation } from './operation.ts'
import type { Bounds, Option } from './option.ts'
import type { PanelName } from './panels.ts'
import { payment } from './payment.ts'
import { pricing } from './pricing.ts'
import { quota } from './quota.ts'
import { rateLimit } from './rate-limit.ts'
import { responseCache } from './response-cache.ts'
import { site } from './site.ts'
import { decodeAs, encodeAs, OptionRefusal } from './wire.ts'

/** All settings, each declared once (docs/reference/options.md#areas); a panel shows its settings in this order. */
export const options = {
  ...site,
  ...operation,
  ...drawing,
  ...moderation,
  ...monitoring,
  ...quota,
  ...pricing,
  ...rateLimit,
  ...models,
  ...responseCache,
  ...keptBodies,
  ...login,
  ...mail,
  ...oauth,
  ...payment,
}

export type OptionKey = keyof typeof options
export type OptionValue<K extends OptionKey> = (typeof options)[K] extends Option<infer T> ? T : never

/** Every key, in the order of declaration. */
export const optionKeys = Object.keys(options) as OptionKey[] // the object is a literal of this module: it has no other keys

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)

export const optionsIn = (panel: PanelName): OptionKey[] => optionKeys.filter((key) => options[key].panel === panel)

/** A value's string in the table and the API: 'true' or 'false', a decimal number, JSON, or the text. */
export const encodeOption = <K extends OptionKey>(key: K, value: OptionValue<K>): string =>
  encodeAs(options[key].wire, value)

/** Decodes and validates a string from the table. Throws `OptionRefusal` with the message to show. */
export const decodeOption = <K extends OptionKey>(key: K, raw: string): OptionValue<K> =>
  decodeAs(options[key] as unknown as Option<OptionValue<K>>, raw) // K selects the same entry on both sides

/** As `decodeOption`, for a value to be saved: some stored values would no longer be accepted. */
export function decodeToSave<K extends OptionKey>(key: K, raw: string): OptionValue<K> {
  const value = decodeOption(key, raw)
  const { unsaved }: Pick<Option<unknown>, 'unsaved'> = options[key]
  const why = unsaved?.(String(value))
  if (why) throw new OptionRefusal(why)
  return value
}

export const labelOf = (key: OptionKey): MessageKey => `option.label.${key}`

/** The allowed range of a number, as a message for its field and for refusals; undefined for other types. */
export function rangeOf(key: OptionKey): { key: MessageKey; params: MessageParams } | undefined {
  const { bounds }: { bounds?: Bounds } = options[key]
  if (bounds === undefined) return undefined
  if ('above' in bounds) return { key: 'option.range_above', params: { min: bounds.above, max: bounds.max } }
  const { min, max, isWhole, least } = bounds
  if (least !== undefined) return { key: 'option.range_or_none', params: { min, max, least } }
  return { key: isWhole ? 'option.range_whole' : 'option.range', params: { min, max } }
}

/** The nearest bound for a number that is out of range; undefined for anything else, or without a nearest bound. */
export function clamped(key: OptionKey, raw: string): string | undefined {
  const { bounds }: { bounds?: Bounds } = options[key]
  const value = raw.trim() === '' ? Number.NaN : Number(raw)
  if (bounds === undefined || Number.isNaN(value)) return undefined
  if (value > bounds.max) return String(bounds.max)
  return 'min' in bounds && value < bounds.min ? String(bounds.min) : undefined
}
