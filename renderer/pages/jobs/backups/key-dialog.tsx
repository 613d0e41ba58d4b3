import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { backup } from '../../../../shared/api/backup.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useSend } from '../../../api/use-call.ts'
import { Form } from '../../../components/form/form.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { PasswordField } from '../../../components/text-field/password-field.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'

manageFocus()

type Typed = Readonly<{ password: string; passphrase: string; again: string }>
const nothing: Typed = { password: '', passphrase: '', again: '' }
/** Minimum length of the passphrase, as in the gateway (docs/reference/backup.md#the-data-key). */
const MIN = 12

/** Saves the data key in a file encrypted with a passphrase; shows refusals in the form. */
export function KeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(nothing)
  const [problems, setProblems] = useState<Partial<Record<keyof Typed, TextKey>>>({})
  const { mutate, isPending, error, reset } = useSend(backup.exportKey, { quiet: true })
  const close = () => {
    setTyped(nothing)
    setProblems({})
    reset()
    onClose()
  }
  const submit = () => {
    const found = problemsOf(typed)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    const { password, passphrase } = typed
    const onSuccess = ({ name, content }: { name: string; content: string }) => {
      saveFile(content, name, 'application/json')
      showSuccess(t('backups.keySaved', { name }))
      close()
    }
    mutate({ body: { password, passphrase } }, { onSuccess })
  }
  const bind = (name: keyof Typed) => ({
    name,
    value: typed[name],
    onValue: (text: string) => {
      setTyped({ ...typed, [name]: text })
      setProblems({})
    },
    error: problems[name] && t(problems[name], { min: MIN }),
  })
  return (
    <Dialog
      className="fits-window"
      title={t('backups.exportKey')}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={() => !isPending && close()}
    >
      <Form isBusy={isPending} isDirty={Object.values(typed).some(Boolean)} onSubmit={submit}>
        <DialogBody>
          <p>{t('backups.keyHint')}</p>
          <PasswordField
            {...bind('password')}
            label={t('backups.password')}
            hint={t('backups.passwordHint')}
            autoComplete="current-password"
            autoFocus
          />
          <PasswordField
            {...bind('passphrase')}
            label={t('backups.passphrase')}
            hint={t('backups.passphraseHint', { min: MIN })}
            autoComplete="new-password"
          />
          <PasswordField {...bind('again')} label={t('backups.again')} autoComplete="new-password" />
          {error && (
            <Callout compact intent="danger" role="alert">
              {error.message}
            </Callout>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isPending} onClick={close} />
              <Button type="submit" intent="primary" text={t('backups.saveKey')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

function problemsOf({ passphrase, again }: Typed): Partial<Record<keyof Typed, TextKey>> {
  if ([...passphrase].length < MIN) return { passphrase: 'backups.passphraseShort' }
  return again === passphrase ? {} : { again: 'backups.mismatch' }
}
