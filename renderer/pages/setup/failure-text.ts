import { CallFailure } from '../../api/call-failure.ts'
import type { Translate } from '../../translation.ts'

/**
 * What the wizard says where it has failed: the gateway's own words, else a sentence of its own, since nothing but the wizard
 * is there yet that could explain it (docs/reference/screens.md#setup).
 */
export function failureText(error: Error, t: Translate): string {
  if (!(error instanceof CallFailure)) return t('setup.fail')
  if (error.kind === 'network') return t('setup.fail_net')
  return error.isWordless ? t('setup.fail') : error.message
}
