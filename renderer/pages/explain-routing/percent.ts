/** Formats a share from 0 to 1 in percent with at most one decimal; nonzero shares are never shown as 0%. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  return share > 0 && rounded === 0 ? '<0.1%' : `${rounded}%`
}
