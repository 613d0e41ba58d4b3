import { Button, Classes } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { type PasskeyView, passkey } from '../../../../shared/api/passkey.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { later } from '../../../components/later.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

const RenamePasskeyDialog = later(async () => (await import('./rename-passkey-dialog.tsx')).RenamePasskeyDialog)

export function PasskeyList({ passkeys }: Readonly<{ passkeys: readonly PasskeyView[] }>) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const [renamed, setRenamed] = useState<PasskeyView>()
  const [removing, setRemoving] = useState<PasskeyView>()
  const { mutate, isPending } = useSend(passkey.remove)
  const remove = ({ id }: PasskeyView) => {
    const onSuccess = () => {
      showSuccess(t('security.passkeyRemoved'))
      // The focused element was removed.
      list.current?.focus()
    }
    mutate({ params: { id } }, { onSuccess, onSettled: () => setRemoving(undefined) })
  }
  return (
    <>
      <ul ref={list} className="security-places security-passkeys" aria-label={t('security.passkeys')} tabIndex={-1}>
        {passkeys.map((one) => (
          <OnePasskey key={one.id} passkey={one} onRename={() => setRenamed(one)} onRemove={() => setRemoving(one)} />
        ))}
      </ul>
      {renamed && <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(undefined)} />}
      <Confirm
        isOpen={removing !== undefined}
        question={t('security.passkeyRemoveAsk', { name: removing?.name ?? '' })}
        verb={t('security.passkeyRemoveVerb')}
        isBusy={isPending}
        onCancel={() => setRemoving(undefined)}
        onConfirm={() => removing && remove(removing)}
      >
        {t('security.passkeyRemoveHint')}
      </Confirm>
    </>
  )
}

type OnePasskeyProps = Readonly<{ passkey: PasskeyView; onRename: () => void; onRemove: () => void }>

/** The host name is shown if it differs from this page's. */
function OnePasskey({ passkey: { name, host, is_synced: isSynced, ...times }, onRename, onRemove }: OnePasskeyProps) {
  const { t } = useTranslation()
  return (
    <li className="security-place">
      <div>
        <div className="security-place-name">{name}</div>
        <div className={`security-facts ${Classes.TEXT_MUTED}`}>
          <span>
            {t('security.passkeySince')} <TimeText at={times.created_at} isShort />
          </span>
          {times.last_used_at === null ? (
            <span>{t('security.passkeyUnused')}</span>
          ) : (
            <span>
              {t('security.sessionUsed')} <TimeText at={times.last_used_at} isShort />
            </span>
          )}
          <span>{t(isSynced ? 'security.passkeySynced' : 'security.passkeyOneDevice')}</span>
          {host !== location.hostname && <span>{t('security.passkeyAt', { host })}</span>}
        </div>
      </div>
      <div className="security-place-buttons">
        <Button
          size="small"
          text={t('security.passkeyRename')}
          aria-label={t('security.passkeyRenameLong', { name })}
          onClick={onRename}
        />
        <Button
          size="small"
          text={t('security.passkeyRemove')}
          aria-label={t('security.passkeyRemoveLong', { name })}
          onClick={onRemove}
        />
      </div>
    </li>
  )
}
