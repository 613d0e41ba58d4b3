import { Button } from '@blueprintjs/core'
import { Offline, Refresh } from '@blueprintjs/icons'
import { CallFailure } from '../api/call-failure.ts'
import { BlankState } from '../components/blank-state/blank-state.tsx'
import { useTranslation } from '../translation.ts'

/**
 * Replaces everything if the status cannot be read, because nothing works without it
 * (docs/reference/screens.md#shell).
 */
export function StatusFailure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const isCutOff = failure instanceof CallFailure && failure.kind === 'network'
  return (
    <main className="layout-content" role="alert">
      <BlankState
        scope="page"
        icon={<Offline size={48} />}
        title={isCutOff ? t('status.fail1') : t('status.fail2')}
        description={isCutOff ? t('shell.cutOff') : failure.message}
        action={<Button intent="primary" icon={<Refresh />} text={t('state.retry')} onClick={onRetry} />}
      />
    </main>
  )
}
