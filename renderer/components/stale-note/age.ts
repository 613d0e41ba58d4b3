import type { Locale } from '../../../shared/messages/format.ts'

/** How long ago something was, in whole minutes, hours or days, such as "3 minutes ago"; undefined under a minute. */
export function ageOf(ms: number, locale: Locale): string | undefined {
  const fitting = units.find(({ length }) => ms >= length)
  if (!fitting) return undefined
  const words = new Intl.RelativeTimeFormat(locale === 'zh' ? 'zh-CN' : 'en')
  return words.format(-Math.floor(ms / fitting.length), fitting.unit)
}

const units = [
  { unit: 'day', length: 86_400_000 },
  { unit: 'hour', length: 3_600_000 },
  { unit: 'minute', length: 60_000 },
] as const
