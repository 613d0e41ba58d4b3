import './shortcuts-dialog.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter, type HotkeyConfig } from '@blueprintjs/core'
import type { ReactNode } from 'react'
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

/** Keys as printed on keyboards, in every language: `mod+k` together, `g t` in sequence. */
function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={Classes.KEY_COMBO}>
      {keys.split(/[+ ]/).map((key) => (
        <kbd key={key} className={Classes.KEY}>
          {capOf(key)}
        </kbd>
      ))}
    </span>
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The label of a key; Blueprint's `mod` is ⌘ on a Mac and Ctrl elsewhere. */
function capOf(key: string): string {
  if (key === 'mod') return isMac ? '⌘' : 'Ctrl'
  if (key === 'shift') return isMac ? '⇧' : 'Shift'
  if (key === 'enter') return isMac ? '⏎' : 'Enter'
  return key.toUpperCase()
}
