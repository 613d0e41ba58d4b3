import { CallFailure } from '../../api/call-failure.ts'
import type { Translate } from '../../translation.ts'

/**
 * The wizard's error message: the gateway's, else one of its own, since nothing else can explain the error before the
 * setup (docs/reference/screens.md#setup).
 */
export function failureText(error: Error, t: Translate): string {
  if (!(error instanceof CallFailure)) return t('setup.fail')
  if (error.kind === 'network') return t('setup.fail_net')
  return error.isWordless ? t('setup.fail') : error.message
}
