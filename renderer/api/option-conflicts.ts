import type { OptionConflict } from '../../shared/api/option.ts'
import { CallFailure } from './call-failure.ts'

/**
 * The concurrent changes that made the gateway refuse a call, if that is why it failed
 * (docs/reference/options.md#concurrent-edits).
 */
export function conflictsIn(failure: unknown): readonly OptionConflict[] {
  if (!(failure instanceof CallFailure)) return []
  // The contract of these calls defines this field; the gateway's tests check it.
  const { conflicts } = failure.extras as { conflicts?: readonly OptionConflict[] }
  return conflicts ?? []
}
