import { Button, NonIdealState } from '@blueprintjs/core'
import { Offline, Refresh } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '../api/call-failure.ts'

/** Shown in place of everything when the status cannot be read: nothing works without it (specification 1 §8). */
export function StatusFailure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const isCutOff = failure instanceof CallFailure && failure.kind === 'network'
  return (
    <main className="layout-content" role="alert">
      <NonIdealState
        icon={<Offline size={48} />}
        title={<h1 className="layout-failure-title">{isCutOff ? t('status.fail1') : t('status.fail2')}</h1>}
        description={isCutOff ? t('shell.cutOff') : failure.message}
        action={<Button intent="primary" icon={<Refresh />} text={t('state.retry')} onClick={onRetry} />}
      />
    </main>
  )
}
