import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { MAX_PASSKEY_NAME, type PasskeyView, passkey } from '../../../../shared/api/passkey.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useSend } from '../../../api/use-call.ts'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

manageFocus()

type RenamePasskeyDialogProps = Readonly<{ passkey: PasskeyView; onClose: () => void }>

export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: RenamePasskeyDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useSend(passkey.rename, { quiet: true })
  const submit = () => {
    const isMissing = typed.trim() === ''
    setProblem(isMissing ? t('passkey.need_name') : undefined)
    if (isMissing) return
    const onSuccess = () => {
      showSuccess(t('security.passkeyRenamed'))
      onClose()
    }
    const onError = (error: Error) => setProblem(error.message)
    mutate({ params: { id }, body: { name: typed.trim() } }, { onSuccess, onError })
  }
  return (
    <Dialog
      className="fits-window"
      title={t('security.passkeyRenameLong', { name })}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isPending && onClose()}
    >
      <Form isBusy={isPending} isDirty={typed !== name} onSubmit={submit}>
        <DialogBody>
          <TextField
            label={t('security.passkeyName')}
            name="name"
            autoFocus
            maxLength={MAX_PASSKEY_NAME}
            value={typed}
            onValue={setTyped}
            error={problem}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('security.passkeyRename')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
