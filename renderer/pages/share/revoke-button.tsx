import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { guestKey } from '../../../shared/api/guest-key.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

export function RevokeButton({ id, name }: Readonly<{ id: number; name: string }>) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(guestKey.revoke)
  const [isConfirming, setConfirming] = useState(false)
  const revoke = () =>
    mutate(
      { params: { id } },
      { onSuccess: () => showSuccess(t('sharing.revoked', { name })), onSettled: () => setConfirming(false) },
    )
  return (
    <>
      <Button
        intent="danger"
        variant="minimal"
        text={t('sharing.revoke')}
        aria-label={t('sharing.revokeOf', { name })}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('sharing.revokeAsk', { name })}
        verb={t('sharing.revoke')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={revoke}
      >
        {t('sharing.revokeHint')}
      </Confirm>
    </>
  )
}
