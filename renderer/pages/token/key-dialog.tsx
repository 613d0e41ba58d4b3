import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { TokenView } from '../../../shared/api/token.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { keyOf } from '../../components/token-key.ts'
import { useTranslation } from '../../translation.ts'

type KeyDialogProps = Readonly<{
  token: TokenView
  /** The key has just replaced another. */
  isNew?: boolean
  isOpen: boolean
  onClose: () => void
}>

export function KeyDialog({ token, isNew = false, isOpen, onClose }: KeyDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      title={t(isNew ? 'token.newKeyTitle' : 'token.viewTitle', { name: token.name })}
      isOpen={isOpen}
      onClose={onClose}
      isCloseButtonShown={false}
    >
      <DialogBody>
        <div className="token-key">
          <CopyValue value={keyOf(token)} label={t('token.copy', { name: token.name })} />
        </div>
        <p>{t(isNew ? 'token.newKeyDone' : 'token.viewHint')}</p>
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
