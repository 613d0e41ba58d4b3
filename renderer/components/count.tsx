import { groupMoney } from '../../shared/money.ts'

/** A count as people read it, with the exact number on hover where it is shortened. */
export function Count({ of: count }: { of: number }) {
  const text = formatCount(count)
  const exact = groupDigits(count)
  return <span title={text === exact ? undefined : exact}>{text}</span>
}

/** A count with its digits in groups, from a million on as `14.2 M`. */
export function formatCount(count: number): string {
  const step = steps.find(({ from }) => Math.abs(count) >= from)
  return step ? `${(count / step.unit).toFixed(1)} ${step.suffix}` : groupDigits(count)
}

/** A number, or one written exactly, with its whole digits in groups of three. */
export const groupDigits = (number: number | string): string => groupMoney(String(number))

/** From where the next step would round to a thousand of the one before. */
const steps = [
  { from: 999_950_000, unit: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, unit: 1_000_000, suffix: 'M' },
] as const
