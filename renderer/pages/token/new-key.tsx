import { useState } from 'react'
import { token as calls, type TokenView } from '../../../shared/api/token.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { later } from '../../components/later.tsx'
import { useTranslation } from '../../translation.ts'

const KeyDialog = later(async () => (await import('./key-dialog.tsx')).KeyDialog)

type NewKeyProps = Readonly<{ token: TokenView; isOpen: boolean; onClose: () => void }>

/** Asks first, because the old key becomes invalid; then shows the new one. */
export function NewKey({ token, isOpen, onClose }: NewKeyProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.rekey)
  const [changed, setChanged] = useState<TokenView>()
  return (
    <>
      <Confirm
        isOpen={isOpen}
        question={t('token.newKeyAsk', { name: token.name })}
        verb={t('token.newKeyVerb')}
        isBusy={isPending}
        onCancel={onClose}
        onConfirm={() => mutate({ params: { id: token.id } }, { onSuccess: setChanged, onSettled: onClose })}
      >
        {t('token.newKeyHint')}
      </Confirm>
      {changed && <KeyDialog token={changed} isNew isOpen onClose={() => setChanged(undefined)} />}
    </>
  )
}
