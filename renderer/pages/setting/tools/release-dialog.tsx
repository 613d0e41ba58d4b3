import './tools.css'
import { AnchorButton, Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Release } from '../../../../shared/api/setting-tools.ts'
import { later } from '../../../components/later.tsx'
import { useTranslation } from '../../../translation.ts'

const OperatorText = later(async () => (await import('../../../components/operator-text/operator-text.tsx')).default)

type ReleaseDialogProps = Readonly<{ release: Release | undefined; onClose: () => void }>

/** A newer release: its sanitized notes, and a link that opens in the system's browser. */
export function ReleaseDialog({ release, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation()
  const details = release?.url && (
    <AnchorButton
      role="link"
      intent="primary"
      text={t('settings.updateDetails')}
      href={release.url}
      target="_blank"
      rel="noreferrer"
    />
  )
  const close = <Button text={t('label.close')} onClick={onClose} />
  return (
    <Dialog
      className="setting-release fits-window"
      title={t('settings.updateTitle', { tag: release?.tag ?? '' })}
      isCloseButtonShown={false}
      isOpen={release !== undefined}
      onClose={onClose}
    >
      <DialogBody>
        <p className={Classes.TEXT_MUTED}>{t('settings.updateRunning', { v: release?.version ?? '' })}</p>
        {release?.notes ? <OperatorText text={release.notes} /> : <p>{t('settings.updateNoNotes')}</p>}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {close}
            {details}
          </>
        }
      />
    </Dialog>
  )
}
