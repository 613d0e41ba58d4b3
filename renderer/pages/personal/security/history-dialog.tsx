import { Button, Classes, Dialog, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import { WarningSign } from '@blueprintjs/icons'
import { type LoginMethod, loginMethods, type SignInView, security } from '../../../../shared/api/security.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useCall } from '../../../api/use-call.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { useDeviceName } from '../../../components/device-name/use-device-name.ts'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'

manageFocus()

/** Recent logins and failed attempts. Mount it to open it. */
export function HistoryDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(security.history, {}, { quiet: true })
  return (
    <Dialog
      className="security-history fits-window"
      title={t('security.history')}
      isCloseButtonShown={false}
      isOpen
      onClose={onClose}
    >
      <DialogBody>
        <p>{t('security.historyHint')}</p>
        {!data && error && <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />}
        {!data && !error && <div className={`security-history-waiting ${Classes.SKELETON}`} />}
        {data?.length === 0 && <p className={Classes.TEXT_MUTED}>{t('security.historyNone')}</p>}
        {data && data.length > 0 && <Entries entries={data} />}
      </DialogBody>
      <DialogFooter actions={<Button autoFocus text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

/**
 * Entries have no ids and may share a second. Keys count from the oldest, so that they stay the same when one is
 * added.
 */
function Entries({ entries }: Readonly<{ entries: readonly SignInView[] }>) {
  const { t } = useTranslation()
  const keyed = entries.map((entry, index) => [entries.length - index, entry] as const)
  return (
    <ol className="security-places" aria-label={t('security.history')}>
      {keyed.map(([key, entry]) => (
        <Entry key={key} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: Readonly<{ entry: SignInView }>) {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  const method = methodOf(entry.way)
  return (
    <li className="security-place">
      <div>
        <div className="security-place-name">
          <TimeText at={entry.created_at} />
          <Outcome hasSucceeded={entry.succeeded} />
        </div>
        <div className={`security-facts ${Classes.TEXT_MUTED}`}>
          <span>{method ? t(methodLabels[method]) : entry.way}</span>
          <span className="tabular">{entry.ip}</span>
          <span title={entry.user_agent}>{deviceName(entry.user_agent)}</span>
        </div>
      </div>
    </li>
  )
}

/** Failures are marked by icon, text and colour. */
function Outcome({ hasSucceeded }: Readonly<{ hasSucceeded: boolean }>) {
  const { t } = useTranslation()
  if (hasSucceeded) return <span className={Classes.TEXT_MUTED}>{t('security.succeeded')}</span>
  return (
    <Tag intent="danger" icon={<WarningSign />}>
      {t('security.failed')}
    </Tag>
  )
}

const methodOf = (method: string): LoginMethod | undefined => loginMethods.find((known) => known === method)

const methodLabels: Readonly<Record<LoginMethod, TextKey>> = {
  password: 'login.password',
  github: 'provider.github',
  oidc: 'provider.oidc',
  linuxdo: 'provider.linuxdo',
  wechat: 'provider.wechat',
  telegram: 'provider.telegram',
  passkey: 'passkey.usual',
  desktop: 'security.desktopApp',
  browser: 'security.byBrowser',
}
