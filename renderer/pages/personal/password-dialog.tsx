import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { UserView } from '../../../shared/api/user.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { useTranslation } from '../../translation.ts'
import { usePasswordChange } from './use-password-change.ts'

manageFocus()

type PasswordDialogProps = Readonly<{ account: UserView; onClose: () => void }>

/** Changes the password; shows refusals in the form. Mount it to open it. */
export function PasswordDialog({ account, onClose }: PasswordDialogProps) {
  const { t } = useTranslation()
  // A user who registered through a linked account may have no password.
  const mayHaveNone = isLinked(account)
  const { bind, refusal, isDirty, isBusy, submit } = usePasswordChange(mayHaveNone, onClose)
  return (
    <Dialog
      className="fits-window"
      title={t('personal.passwordChange')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isBusy && onClose()}
    >
      <Form isBusy={isBusy} isDirty={isDirty} onSubmit={submit}>
        <DialogBody>
          {/* Tells a password manager which account it is. */}
          <input hidden readOnly autoComplete="username" value={account.username} />
          <PasswordField
            {...bind('original')}
            label={t('personal.passwordOriginal')}
            autoComplete="current-password"
            autoFocus
            {...(mayHaveNone && { hint: t('personal.passwordOriginalHint') })}
          />
          <PasswordField
            {...bind('password')}
            label={t('personal.passwordNew')}
            hint={t('setup.passwordHint')}
            autoComplete="new-password"
          />
          <PasswordField {...bind('again')} label={t('personal.passwordConfirm')} autoComplete="new-password" />
          {refusal === undefined ? (
            <p>{t('personal.passwordEnds')}</p>
          ) : (
            <Callout compact intent="danger" role="alert">
              {refusal}
            </Callout>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('personal.passwordChange')} loading={isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

const isLinked = (account: UserView): boolean =>
  [account.github_id, account.oidc_id, account.wechat_id, account.telegram_id, account.linux_do_id].some(Boolean)
