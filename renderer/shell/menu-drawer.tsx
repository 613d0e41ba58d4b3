import { Button, Drawer, Position } from '@blueprintjs/core'
import { Menu as MenuIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { SideMenu } from './side-menu.tsx'

export default function MenuDrawer() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="minimal"
        icon={<MenuIcon />}
        aria-label={t('shell.menu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      <Drawer isOpen={isOpen} onClose={close} position={Position.LEFT} size="260px">
        <div className="side-menu-drawer" role="dialog" aria-modal aria-label={t('shell.menu')}>
          <SideMenu onGo={close} />
        </div>
      </Drawer>
    </>
  )
}
