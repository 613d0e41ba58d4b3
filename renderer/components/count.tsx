import { groupMoney } from '../../shared/money.ts'

export function Count({ of: count }: { of: number }) {
  const text = formatCount(count)
  const exact = groupDigits(count)
  return <span title={text === exact ? undefined : exact}>{text}</span>
}

/** Groups digits; abbreviates from a million on, such as `14.2 M`. */
export function formatCount(count: number): string {
  const step = steps.find(({ from }) => Math.abs(count) >= from)
  return step ? `${(count / step.unit).toFixed(1)} ${step.suffix}` : groupDigits(count)
}

/** Formats an average with one decimal below 100, such as 3.7, else like a count; tiny values as `<0.1`. */
export function formatAverage(average: number): string {
  if (average > 0 && average < MIN_SHOWN) return `<${MIN_SHOWN}`
  return average < 100 ? String(Math.round(average * 10) / 10) : formatCount(Math.round(average))
}

const MIN_SHOWN = 0.1

/** Groups the integer digits of a number or decimal string in threes. */
export const groupDigits = (number: number | string): string => groupMoney(String(number))

/** Billions begin where millions would round to 1000.0. */
const steps = [
  { from: 999_950_000, unit: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, unit: 1_000_000, suffix: 'M' },
] as const
