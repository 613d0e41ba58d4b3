import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { manageFocus } from '../../api/focus-management.ts'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { useTranslation } from '../../translation.ts'

manageFocus()

type AccessTokenDialogProps = Readonly<{
  token: string
  /** Calls send it next to the token. */
  userId: number
  onClose: () => void
}>

/** Shows a new access token once, and how to use it. Mount it to open it. */
export function AccessTokenDialog({ token, userId, onClose }: AccessTokenDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      title={t('personal.accessToken')}
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      isOpen
      onClose={onClose}
    >
      <DialogBody>
        <p>{t('personal.accessTokenOnce')}</p>
        <p className={`personal-token ${Classes.MONOSPACE_TEXT}`}>{token}</p>
        <CopyButton text={token} shown={t('personal.accessToken')} label={t('personal.accessTokenCopy')} />
        <p className="personal-after">{t('personal.accessTokenUse')}</p>
        <pre className={`personal-code ${Classes.CODE_BLOCK}`}>{headersOf(token, userId)}</pre>
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

/** Shortened: the full token is shown above. */
const headersOf = (token: string, userId: number): string =>
  `Authorization: Bearer ${token.slice(0, 4)}…\nNew-Api-User: ${userId}`
