import './shortcuts-dialog.css'
import { Button, Dialog, DialogBody, DialogFooter, type HotkeyConfig } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { KeyCaps } from '../../components/key-caps/key-caps.tsx'
import { useTranslation } from '../../translation.ts'
import { useMenu } from '../use-menu.ts'
import { goKey } from './use-page-keys.ts'

type ShortcutsDialogProps = Readonly<{ isOpen: boolean; hotkeys: readonly HotkeyConfig[]; onClose: () => void }>

/** Every shortcut of the current page, then the shortcuts that lead to other pages. */
export default function ShortcutsDialog({ isOpen, hotkeys, onClose }: ShortcutsDialogProps) {
  const { t } = useTranslation()
  const pages = useMenu().flat()
  return (
    <Dialog
      className="fits-window shortcuts-box"
      title={t('shortcut.title')}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={onClose}
    >
      <DialogBody>
        {/* A long list can be scrolled by keyboard. */}
        <dl className="shortcuts-dialog" tabIndex={0}>
          {hotkeys.map(({ combo, label }) => (
            <Shortcut key={combo} keys={combo} label={label} />
          ))}
          <Shortcut keys="mod+enter" label={t('shortcut.form')} />
          {pages.map(({ menu }) => (
            <Shortcut
              key={menu.key}
              keys={`${goKey} ${menu.key}`}
              label={t('shortcut.page', { page: t(menu.label) })}
            />
          ))}
        </dl>
      </DialogBody>
      <DialogFooter actions={<Button autoFocus text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

function Shortcut({ keys, label }: { keys: string; label: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <KeyCaps keys={keys} />
      </dd>
    </div>
  )
}
