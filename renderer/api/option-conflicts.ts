import type { OptionConflict } from '../../shared/api/option.ts'
import { CallFailure } from './call-failure.ts'

/**
 * What others have changed meanwhile, where a call that changes options was refused for that; else nothing
 * (docs/reference/options.md#two-at-once).
 */
export function conflictsIn(failure: unknown): readonly OptionConflict[] {
  if (!(failure instanceof CallFailure)) return []
  // The contract of these calls says what stands beside their message; the gateway's tests hold it.
  const { conflicts } = failure.beside as { conflicts?: readonly OptionConflict[] }
  return conflicts ?? []
}
