import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { MAX_PASSKEY_NAME } from '../../../../shared/api/passkey.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { Form } from '../../../components/form/form.tsx'
import { PasskeyNote } from '../../../components/passkeys/passkey-note.tsx'
import { PasswordField } from '../../../components/text-field/password-field.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { usePasskeyAdding } from './use-passkey-adding.ts'

manageFocus()

type AddPasskeyDialogProps = Readonly<{
  /** The account has a password, which is required first. */
  hasPassword: boolean
  username: string
  onClose: () => void
}>

/** Adds a passkey: the password if there is one, a name, then the browser's dialog. Mount it to open it. */
export function AddPasskeyDialog({ hasPassword, username, onClose }: AddPasskeyDialogProps) {
  const { t } = useTranslation()
  const adding = usePasskeyAdding(hasPassword, onClose)
  return (
    <Dialog
      className="fits-window"
      title={t('security.passkeyAdd')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !adding.isBusy && onClose()}
    >
      <Form isBusy={adding.isBusy} onSubmit={adding.submit}>
        <DialogBody>
          {hasPassword && (
            <>
              {/* Tells a password manager which account it is. */}
              <input hidden readOnly autoComplete="username" value={username} />
              <PasswordField
                label={t('login.password')}
                name="password"
                autoComplete="current-password"
                autoFocus
                inputRef={adding.passwordField}
                value={adding.password}
                onValue={adding.setPassword}
                error={adding.passwordProblem}
              />
            </>
          )}
          <TextField
            label={t('security.passkeyName')}
            name="name"
            hint={t('security.passkeyNameHint')}
            autoFocus={!hasPassword}
            maxLength={MAX_PASSKEY_NAME}
            value={adding.name}
            onValue={adding.setName}
            error={adding.nameProblem}
          />
          <PasskeyNote trouble={adding.trouble} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={adding.isBusy} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('security.passkeyAdd')} loading={adding.isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
