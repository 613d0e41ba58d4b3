import './side-drawer.css'
import { Button, Classes, Drawer, H2 } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type FormEvent, type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { clearToasts } from '../toasts.tsx'
import { useNarrow } from '../use-narrow.ts'

type SideDrawerProps = Readonly<{
  title: string
  /** The form is on its way; it can be neither sent again nor left. */
  isBusy: boolean
  /** Called by every way out: Escape, a click beside it, the buttons. */
  onClose: () => void
  /** Called by the button and by Enter in a field; checking is the caller's. */
  onSubmit: () => void
  children: ReactNode
}>

/** A form in a drawer at the right, its buttons always in sight; as wide as the window on a phone. Mount it to open it. */
export function SideDrawer({ title, isBusy, onClose, onSubmit, children }: SideDrawerProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const titleId = useId()
  useEffect(clearToasts, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Drawer isOpen onClose={onClose} size={isNarrow ? '100%' : '480px'} canOutsideClickClose={!isBusy}>
      <div className="side-drawer" role="dialog" aria-modal aria-labelledby={titleId}>
        <form className="side-drawer-form" onSubmit={submit} noValidate>
          <div className={Classes.DRAWER_HEADER}>
            <H2 id={titleId}>{title}</H2>
            <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
          </div>
          <div className={Classes.DRAWER_BODY}>
            <div className="side-drawer-fields">{children}</div>
          </div>
          <div className={`${Classes.DRAWER_FOOTER} side-drawer-foot`}>
            <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
            <Button type="submit" intent="primary" text={t('label.submit')} loading={isBusy} />
          </div>
        </form>
      </div>
    </Drawer>
  )
}
