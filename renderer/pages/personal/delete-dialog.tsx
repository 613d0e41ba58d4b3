import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { send } from '../../api/client.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { useForgetSession } from '../../api/use-forget-session.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { clearToasts, showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

manageFocus()

type DeleteDialogProps = Readonly<{ username: string; onClose: () => void }>

/** Deactivates the user's account after they have typed its name, and signs them out. Mount it to open it. */
export function DeleteDialog({ username, onClose }: DeleteDialogProps) {
  const { t } = useTranslation()
  const forget = useForgetSession()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(ownAccount.remove, {}),
    onMutate: clearToasts,
    // Unlike after other calls, nothing is refreshed, because no one is signed in any more.
    onSuccess() {
      forget()
      showSuccess(t('account.deleted'))
    },
  })
  const submit = () => {
    const isNamed = typed.trim() === username
    setWrong(!isNamed)
    if (isNamed) mutate()
  }
  return (
    <Dialog
      className="fits-window"
      title={t('personal.deleteAsk')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isPending && onClose()}
    >
      <Form isBusy={isPending} onSubmit={submit}>
        <DialogBody>
          <p>{t('personal.deleteWhat')}</p>
          <TextField
            label={t('personal.deleteName', { name: username })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={typed}
            onValue={(text) => {
              setTyped(text)
              setWrong(false)
            }}
            error={isWrong ? t('account.delete_confirm') : undefined}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />
              <Button type="submit" intent="danger" text={t('personal.delete')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
