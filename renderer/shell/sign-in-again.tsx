import './sign-in-again.css'
import { Button, Classes, Dialog, DialogBody } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../../shared/api/user.ts'
import { isDesktop } from '../api/desktop.ts'
import { rememberUser } from '../api/session.ts'
import { putOffSignIn, signInAgain } from '../api/sign-in-again.ts'
import { LoginForm } from '../components/login-form/login-form.tsx'
import { PasskeyLogin } from '../components/passkeys/passkey-login.tsx'
import { useOfferedProviders } from '../components/providers/offered-providers.ts'
import { useTranslation } from '../translation.ts'
import { useLogOut } from './use-log-out.ts'

type SignInAgainProps = Readonly<{ user: SignedIn; isProof: boolean }>

/**
 * A login dialog over a page with unsaved input whose session has ended, or before a security-sensitive change; the
 * user's action then continues (docs/reference/screens.md#calls-and-failures).
 */
export default function SignInAgain({ user, isProof }: SignInAgainProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const enter = (signedIn: SignedIn) => {
    // A passkey of another account: nothing on this page belongs to that user.
    if (signedIn.id !== user.id) return leaveTo(signedIn)
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
        <p>{t(isProof ? 'login.proofHint' : 'login.againHint')}</p>
        <LoginForm account={user.username} onEnter={enter} onCancel={putOffSignIn}>
          <PasskeyLogin onEnter={enter} />
        </LoginForm>
        <OtherMethods />
      </DialogBody>
    </Dialog>
  )
}

/** OAuth providers lead away from the page and start a new login. */
function OtherMethods() {
  const { t } = useTranslation()
  const logOut = useLogOut()
  const offered = useOfferedProviders()
  if (offered.length === 0 && !isDesktop()) return null
  const leave = () => {
    putOffSignIn()
    logOut()
  }
  return (
    <div className="sign-in-again-ways">
      <p className={Classes.TEXT_MUTED}>{t(isDesktop() ? 'login.againInBrowser' : 'login.againElsewhere')}</p>
      <Button variant="outlined" text={t('label.logOut')} onClick={leave} />
    </div>
  )
}

function leaveTo(signedIn: SignedIn): void {
  rememberUser(signedIn)
  location.assign('/')
}
