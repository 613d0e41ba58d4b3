import './shortcuts-dialog.css'
import { Button, Dialog, DialogBody, DialogFooter, type HotkeyConfig, KeyComboTag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'

type ShortcutsDialogProps = Readonly<{ isOpen: boolean; hotkeys: readonly HotkeyConfig[]; onClose: () => void }>

/** Every shortcut of the page one is on: the keys, and what they do. */
export function ShortcutsDialog({ isOpen, hotkeys, onClose }: ShortcutsDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      title={t('shortcut.title')}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={onClose}
    >
      <DialogBody>
        <dl className="shortcuts-dialog">
          {hotkeys.map(({ combo, label }) => (
            <div key={combo}>
              <dt>{label}</dt>
              <dd>
                <KeyComboTag combo={combo} />
              </dd>
            </div>
          ))}
        </dl>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
