import { Menu, MenuItem } from '@blueprintjs/core'
import type { JSX } from 'react'
import { useNavigate } from 'react-router-dom'
import { canRegister, useStatus } from '../api/status.ts'
import { OpenPopover } from '../components/popover/open-popover.tsx'
import { useTranslation } from '../translation.ts'
import { useShellLinks } from './use-shell-links.ts'

/** The links for signed-out users on a phone, including registration, which do not fit into the bar. */
export default function LinksMenu({ button }: { button: JSX.Element }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const status = useStatus()
  const items = useShellLinks().map((link) =>
    'href' in link ? (
      <MenuItem key={link.text} text={t(link.text)} href={link.href} target="_blank" rel="noreferrer" />
    ) : (
      <MenuItem key={link.text} text={t(link.text)} onClick={() => void navigate(link.to)} />
    ),
  )
  const content = (
    <Menu aria-label={t('shell.places')}>
      {items}
      {canRegister(status) && <MenuItem text={t('label.register')} onClick={() => void navigate('/register')} />}
    </Menu>
  )
  return (
    <OpenPopover isMenu content={content}>
      {button}
    </OpenPopover>
  )
}
