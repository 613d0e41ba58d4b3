import type { EnteredPrice, ScheduledPrice } from '../../../../shared/api/scheduled-prices.ts'
import { printed, typedNumber } from '../../../../shared/pricing.ts'
import { formatTime } from '../../../components/date-time.ts'
import type { TextKey } from '../../../i18n.ts'
import { isTimeAhead } from './when-field.tsx'

export const priceFields = [
  'fixed',
  'input',
  'output',
  'cache_read',
  'cache_write',
  'image',
  'audio_input',
  'audio_output',
] as const
export type PriceField = (typeof priceFields)[number]

export type Draft = Readonly<Record<PriceField | 'model' | 'time' | 'note', string> & { isFixed: boolean }>

/** The form's initial values: empty, or those of the price to change. */
export function draftOf(price: ScheduledPrice | undefined): Draft {
  const { rates = {}, dollars = {} } = price?.price ?? {}
  const text = (value: number | undefined) => (value === undefined ? '' : printed(value))
  return {
    model: price?.model ?? '',
    isFixed: rates.fixed !== undefined,
    fixed: text(rates.fixed),
    input: text(dollars.input),
    output: text(dollars.output),
    cache_read: text(dollars.cache_read),
    cache_write: text(dollars.cache_write),
    image: text(dollars.image),
    audio_input: text(dollars.audio_input),
    audio_output: text(dollars.audio_output),
    time: price ? formatTime(price.valid_from) : '',
    note: price?.note ?? '',
  }
}

export const isSameDraft = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other)

export function problemsOf(draft: Draft): Partial<Record<keyof Draft, TextKey>> {
  const needed = draft.isFixed ? 'fixed' : 'input'
  const required = draft.isFixed ? (['fixed'] as const) : priceFields.filter((name) => name !== 'fixed')
  const wrong = required.filter((name) => (name === needed || draft[name].trim() !== '') && !isPrice(draft[name]))
  return {
    ...(draft.model.trim() === '' && { model: 'prices.modelMissing' as const }),
    ...Object.fromEntries(wrong.map((name) => [name, 'prices.notAPrice' as const])),
    ...(!isTimeAhead(draft.time) && { time: 'prices.timeWrong' as const }),
  }
}

export function scheduleOf(draft: Draft) {
  const value = (name: PriceField) => typedNumber(draft[name])
  const others = priceFields.filter((name) => name !== 'fixed' && name !== 'input' && value(name) !== undefined)
  const tokens = { input: value('input') ?? 0, ...Object.fromEntries(others.map((name) => [name, value(name)])) }
  const price: EnteredPrice = draft.isFixed ? { fixed: value('fixed') ?? 0 } : tokens
  return { model: draft.model.trim(), price, valid_from: isTimeAhead(draft.time), note: draft.note.trim() }
}

/** Maximum price in US dollars; larger ones are rejected as typing errors. */
const MAX_DOLLARS = 1_000_000

function isPrice(text: string): boolean {
  const value = typedNumber(text)
  return value !== undefined && value <= MAX_DOLLARS
}
