import './side-drawer.css'
import { Button, Classes, Drawer, H2 } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../confirm/confirm.tsx'
import { Form } from '../form/form.tsx'
import { clearToasts } from '../toasts.tsx'
import { useNarrow } from '../use-narrow.ts'
import { useLeaving } from './use-leaving.ts'

type SideDrawerProps = Readonly<{
  title: string
  /** The form is on its way; it can be neither sent again nor left. */
  isBusy: boolean
  /** Something was changed: every way out asks first, the browser's own included. */
  isDirty?: boolean
  /** What the button says that sends the form; “Save” unless said otherwise. */
  verb?: string | undefined
  /** On a desk, in CSS; 480 pixels unless said otherwise. */
  width?: string
  /** Called by every way out: Escape, a click beside it, the buttons. */
  onClose: () => void
  /** Called by the button, by Enter in a field and by Ctrl+Enter anywhere; checking is the caller's. */
  onSubmit: () => void
  children: ReactNode
}>

/** A form in a drawer at the right, its buttons always in sight; as wide as the window on a phone. Mount it to open it. */
export function SideDrawer({ title, isBusy, isDirty = false, width = '480px', ...props }: SideDrawerProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const leaving = useLeaving(isDirty && !isBusy, props.onClose)
  useEffect(clearToasts, [])
  return (
    <Drawer isOpen onClose={leaving.leave} size={isNarrow ? '100%' : width} canOutsideClickClose={!isBusy}>
      <DrawerForm title={title} isBusy={isBusy} isDirty={isDirty} {...props} onClose={leaving.leave} />
      <Confirm
        isOpen={leaving.isAsking}
        question={t('drawer.leaveAsk', { title })}
        verb={t('drawer.discard')}
        isBusy={false}
        onConfirm={leaving.confirm}
        onCancel={leaving.stay}
      >
        {t('drawer.leaveHint')}
      </Confirm>
    </Drawer>
  )
}

/** The form itself: its head, its fields, and its buttons at the foot. */
function DrawerForm({ title, isBusy, isDirty = false, verb, onClose, onSubmit, children }: SideDrawerProps) {
  const { t } = useTranslation()
  const titleId = useId()
  return (
    <div className="side-drawer" role="dialog" aria-modal aria-labelledby={titleId}>
      <Form className="side-drawer-form" isBusy={isBusy} isDirty={isDirty} onSubmit={onSubmit}>
        <div className={Classes.DRAWER_HEADER}>
          <H2 id={titleId}>{title}</H2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
        </div>
        <div className={Classes.DRAWER_BODY}>
          <div className="side-drawer-fields">{children}</div>
        </div>
        <div className={`${Classes.DRAWER_FOOTER} side-drawer-foot`}>
          <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
          <Button type="submit" intent="primary" text={verb ?? t('label.submit')} loading={isBusy} />
        </div>
      </Form>
    </div>
  )
}
