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
 * Over a page with something unsaved whose session has ended, or before a change of how an account is opened: who is there signs
 * in again, and what they did goes on (docs/reference/screens.md#calls-and-failures).
 */
export default function SignInAgain({ user, isProof }: SignInAgainProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const enter = (signedIn: SignedIn) => {
    // A passkey of another account: nothing of what was begun here is theirs.
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
        <OtherWays />
      </DialogBody>
    </Dialog>
  )
}

/** Providers lead away from the page, and nobody is led there while logged in: what they let in is a login of its own. */
function OtherWays() {
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
