import './backups.css'
import { Button, Callout, Card, Classes, H2 } from '@blueprintjs/core'
import { FloppyDisk, Key } from '@blueprintjs/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { type BackupsView, backup, backup as backupCalls } from '../../../../shared/api/backup.ts'
import { send } from '../../../api/client.ts'
import { areaOf, useSend } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { onceOpen } from '../../../components/later.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { BackupItem } from './backup-item.tsx'

const KeyDialog = onceOpen(async () => (await import('./key-dialog.tsx')).KeyDialog)

/** The database backups, for root: create, restore at the next start, delete; and the data key they need. */
export function Backups() {
  const { t } = useTranslation()
  const { data, error, refetch } = useBackups()
  const [isExporting, setExporting] = useState(false)
  return (
    <Card className="backups">
      <header className="backups-head">
        <div>
          <H2 className="jobs-name">{t('backups.title')}</H2>
          <p className={Classes.TEXT_MUTED}>{data ? <Intro {...data} /> : t('backups.intro')}</p>
        </div>
        <div className="backups-acts">
          <Button icon={<Key />} text={t('backups.exportKey')} disabled={!data} onClick={() => setExporting(true)} />
          <MakeButton isRunning={data?.is_running ?? false} />
        </div>
      </header>
      {error && !data && <FailedState message={error.message} onRetry={() => void refetch()} />}
      {!error && !data && (
        <div className={`backups-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
      )}
      {data?.decided && <Decided decided={data.decided} />}
      {data?.is_decision_unreadable && <Unreadable />}
      {data?.backups.length === 0 && <p className={Classes.TEXT_MUTED}>{t('backups.none')}</p>}
      {data && data.backups.length > 0 && (
        <ul className="backups-list" aria-label={t('backups.title')}>
          {data.backups.map((one) => (
            <BackupItem key={one.name} backup={one} keyId={data.key_id} isWaiting={data.decided?.from === one.name} />
          ))}
        </ul>
      )}
      <KeyDialog isOpen={isExporting} onClose={() => setExporting(false)} />
    </Card>
  )
}

/** How many backups are retained and where, and the id of the data key that restoring one requires. */
function Intro({ keep, folder, key_id: id }: BackupsView) {
  const { t } = useTranslation()
  return keep > 0 ? t('backups.kept', { n: keep, folder, id }) : t('backups.noneKept', { folder, id })
}

function MakeButton({ isRunning }: { isRunning: boolean }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(backupCalls.make)
  const make = () => mutate({}, { onSuccess: ({ name }) => showSuccess(t('backups.made', { name })) })
  return (
    <Button
      intent="primary"
      icon={<FloppyDisk />}
      text={t('backups.make')}
      loading={isPending || isRunning}
      onClick={make}
    />
  )
}

/** Warns that changes until the next start will be lost. */
function Decided({ decided }: { decided: NonNullable<BackupsView['decided']> }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(backupCalls.keepDatabase)
  return (
    <Callout intent="warning">
      <p>
        <strong>{t('backups.decided')}</strong>
      </p>
      <p>
        <code>{decided.from}</code> · <TimeText at={decided.made_at} />
      </p>
      <p>{t('backups.decidedHint')}</p>
      <Button text={t('backups.keepDatabase')} loading={isPending} onClick={() => mutate({})} />
    </Callout>
  )
}

/** The stored decision is unreadable, and the next start would fail because of it. */
function Unreadable() {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(backupCalls.keepDatabase)
  return (
    <Callout intent="danger">
      <p>
        <strong>{t('backups.unreadable')}</strong>
      </p>
      <p>{t('backups.unreadableHint')}</p>
      <Button text={t('backups.keepDatabase')} loading={isPending} onClick={() => mutate({})} />
    </Callout>
  )
}

const LOOK_AGAIN_MS = 10_000

/** The backups, polled while the page is visible, because the schedule also creates some. */
const useBackups = (): UseQueryResult<BackupsView> =>
  usePolled({
    queryKey: [areaOf(backup.list), backup.list.path],
    read: (manner) => send(backup.list, {}, manner),
    everyMs: LOOK_AGAIN_MS,
  })
