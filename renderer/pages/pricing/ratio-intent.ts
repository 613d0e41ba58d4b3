import type { Intent } from '@blueprintjs/core'

/**
 * A group's colour by ratio: above 5 red, above 3 orange, above 1 blue, else green
 * (docs/reference/screens.md#pricing).
 */
export function ratioIntent(ratio: number): Intent {
  if (ratio > 5) return 'danger'
  if (ratio > 3) return 'warning'
  return ratio > 1 ? 'primary' : 'success'
}
