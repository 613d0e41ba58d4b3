import { Button, Classes } from '@blueprintjs/core'
import { History, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { type BackupView, backup as backupCalls } from '../../../../shared/api/backup.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { formatTime } from '../../../components/date-time.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'

type BackupItemProps = Readonly<{
  backup: BackupView
  keyId: string
  /** Whether this backup replaces the database at the next start. */
  isWaiting: boolean
}>

export function BackupItem({ backup, keyId, isWaiting }: BackupItemProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'restore' | 'remove'>()
  const restore = useSend(backupCalls.restore)
  const remove = useSend(backupCalls.remove)
  const at = formatTime(backup.made_at)
  const close = () => setOpened(undefined)
  const params = { name: backup.name }
  return (
    <li className="backups-item">
      <div>
        <TimeText at={backup.made_at} />
        <p className={`backups-name ${Classes.TEXT_MUTED} ${Classes.MONOSPACE_TEXT}`}>{backup.name}</p>
      </div>
      <span className="backups-size">{t('backups.size', { mb: (backup.bytes / 1e6).toFixed(1) })}</span>
      <span className="backups-state">
        <State backup={backup} />
        {t(`backups.by.${backup.made_by}`)}
        {backup.key_id !== '' && backup.key_id !== keyId && (
          <StatusTag intent="warning" text={t('backups.otherKey', { id: backup.key_id })} />
        )}
      </span>
      <span className="backups-acts">
        <Button
          icon={<History />}
          text={t('backups.restore')}
          aria-label={t('backups.restoreOf', { at })}
          disabled={isWaiting}
          onClick={() => setOpened('restore')}
        />
        <Button icon={<Trash />} aria-label={t('backups.removeOf', { at })} onClick={() => setOpened('remove')} />
      </span>
      <Confirm
        isOpen={opened === 'restore'}
        question={t('backups.restoreQuestion', { at })}
        verb={t('backups.restoreVerb')}
        isBusy={restore.isPending}
        onConfirm={() => restore.mutate({ params }, { onSettled: close })}
        onCancel={close}
      >
        {t('backups.restoreHint')}
      </Confirm>
      <Confirm
        isOpen={opened === 'remove'}
        question={t('backups.removeQuestion', { at })}
        verb={t('label.delete')}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ params }, { onSettled: close })}
        onCancel={close}
      >
        {t('backups.removeHint')}
      </Confirm>
    </li>
  )
}

function State({ backup: { is_verified: isVerified, differences } }: { backup: BackupView }) {
  const { t } = useTranslation()
  if (isVerified) return <StatusTag intent="success" text={t('backups.verified')} />
  if (differences) return <StatusTag intent="danger" text={t('backups.differs', { n: differences })} />
  return <StatusTag intent="warning" text={t('backups.unverified')} />
}
