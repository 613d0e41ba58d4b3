import { Button, Card, Classes, Drawer } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type ReactNode, useId } from 'react'
import { useTranslation } from '../../translation.ts'

type SettingsPlaceProps = Readonly<{ isOpen: boolean; isStacked: boolean; onClose: () => void; children: ReactNode }>

/** Where the settings stand: beside the conversation, or in a drawer over it where there is no room. */
export function SettingsPlace({ isOpen, isStacked, onClose, children }: SettingsPlaceProps) {
  const { t } = useTranslation()
  const titleId = useId()
  if (!isStacked) return isOpen && <Card className="playground-panel">{children}</Card>
  return (
    <Drawer isOpen={isOpen} position="left" size="min(88%, 400px)" onClose={onClose}>
      <div className="playground-drawer-frame" role="dialog" aria-modal aria-labelledby={titleId}>
        <div className={`${Classes.DRAWER_HEADER} playground-drawer-head`}>
          <h2 id={titleId} className={Classes.HEADING}>
            {t('play.settings')}
          </h2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
        </div>
        <div className={`${Classes.DRAWER_BODY} playground-drawer`}>{children}</div>
      </div>
    </Drawer>
  )
}
