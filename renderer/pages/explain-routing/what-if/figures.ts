/** A number of requests: whole, but for few, of which a tenth matters. */
export function countText(count: number): string {
  const digits = count < 10 && !Number.isInteger(count) ? 1 : 0
  if (count > 0 && count < 0.05) return '<0.1'
  return count.toLocaleString('en', { maximumFractionDigits: digits })
}

/** How much more or less, with its sign; nothing where that would read as 0. */
export function differenceText(difference: number, text: (size: number) => string): string {
  const size = text(Math.abs(difference))
  if (difference === 0 || size === text(0)) return '0'
  return `${difference > 0 ? '+' : '-'}${size}`
}
