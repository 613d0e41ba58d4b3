import './passkeys.css'
import { Button } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { passkey } from '../../../shared/api/passkey.ts'
import type { SignedIn } from '../../../shared/api/user.ts'
import { send } from '../../api/client.ts'
import { useTranslation } from '../../translation.ts'
import { clearToasts } from '../toasts.ts'
import { canUsePasskeys, showPasskey } from './browser-passkeys.ts'
import { PasskeyNote } from './passkey-note.tsx'
import { usePasskeyStep } from './use-passkey-step.ts'

type PasskeyLoginProps = Readonly<{ onEnter: (signedIn: SignedIn) => void }>

/** Login by passkey, if this page supports it (docs/reference/screens.md#login). */
export const PasskeyLogin = (props: PasskeyLoginProps) => canUsePasskeys() && <PasskeyButton {...props} />

const quiet = { quiet: true } as const

function PasskeyButton({ onEnter }: PasskeyLoginProps) {
  const { t } = useTranslation()
  const { isBusy, trouble, run } = usePasskeyStep()
  const logIn = async () => {
    clearToasts()
    const signedIn = await run(async () => {
      const shown = await showPasskey(await send(passkey.beginLogin, {}, quiet))
      return send(passkey.finishLogin, { body: shown }, quiet)
    })
    if (signedIn) onEnter(signedIn)
  }
  return (
    <div className="passkey-login">
      <Button
        fill
        size="large"
        variant="outlined"
        icon={<Key />}
        text={t('passkey.logIn')}
        loading={isBusy}
        onClick={() => void logIn()}
      />
      <PasskeyNote trouble={trouble} />
    </div>
  )
}
