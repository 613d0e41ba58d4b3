import { Dialog, DialogBody } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SignedIn } from '../../shared/api/user.ts'
import { putOffSignIn, signInAgain } from '../api/sign-in-again.ts'
import { LoginForm } from '../components/login-form/login-form.tsx'

/**
 * Over a page with something unsaved whose session has ended: who is there signs in again, and what they did goes on
 * (docs/reference/screens.md#calls-and-failures).
 */
export default function SignInAgain({ user }: { user: SignedIn }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const enter = (signedIn: SignedIn) => {
    signInAgain(signedIn)
    void queries.invalidateQueries()
  }
  return (
    <Dialog
      className="fits-window"
      title={t('login.again')}
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      isOpen
      onClose={putOffSignIn}
    >
      <DialogBody>
        <p>{t('login.againHint')}</p>
        <LoginForm account={user.username} onEnter={enter} onCancel={putOffSignIn} />
      </DialogBody>
    </Dialog>
  )
}
