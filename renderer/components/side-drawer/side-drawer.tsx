import './side-drawer.css'
import { Button, Classes, Drawer, H2 } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useId } from 'react'
import { manageFocus } from '../../api/focus-management.ts'
import { useUnsaved } from '../../api/unsaved.ts'
import { useTranslation } from '../../translation.ts'
import { Form } from '../form/form.tsx'
import { clearToasts } from '../toasts.ts'
import { useNarrow, useTight } from '../use-narrow.ts'
import { LeavingQuestion } from './leaving-question.tsx'
import { RouterGuard } from './router-guard.tsx'
import { useLeaving } from './use-leaving.ts'

manageFocus()

type SideDrawerProps = Readonly<{
  title: string
  /** The form is on its way; it can be neither sent again nor left. */
  isBusy: boolean
  /** Something was changed: every way out asks first, the browser's own included. */
  isDirty?: boolean
  /** What the button says that sends the form; “Save” unless said otherwise. */
  verb?: string | undefined
  /** What the button says that leaves it; “Cancel” for a form and “Close” for a list unless said otherwise. */
  leave?: string
  /** On a desk, in CSS; 480 pixels unless said otherwise. */
  width?: string
  /** It holds a list, and forms of its own: wide, and as wide as the window on a tablet, too. */
  isList?: boolean
  /** The buttons at the foot of a list beside “Close”. */
  foot?: ReactNode
  /** Called by every way out: Escape, a click beside it, the buttons. */
  onClose: () => void
  /** Called by the button, by Enter in a field and by Ctrl+Enter anywhere; checking is the caller's. A list has none. */
  onSubmit?: () => void
  children: ReactNode
}>

/** A form or a list in a drawer at the right, its buttons always in sight; as wide as the window on a phone. Mount it to open it. */
export function SideDrawer({ isDirty = false, isList = false, width = '480px', ...props }: SideDrawerProps) {
  const { title, isBusy, onClose } = props
  const isNarrow = useNarrow()
  const isTight = useTight()
  const leaving = useLeaving({ title, isDirty: isDirty && !isBusy, onLeave: onClose })
  useUnsaved(isDirty)
  useEffect(clearToasts, [])
  const size = isList ? 'min(1100px, 90vw)' : width
  const isWhole = isNarrow || (isList && isTight)
  return (
    <Drawer isOpen onClose={leaving.leave} size={isWhole ? '100%' : size} canOutsideClickClose={!isBusy}>
      <Inside {...props} isList={isList} onClose={leaving.leave} />
      {leaving.guard && <RouterGuard {...leaving.guard} />}
      <LeavingQuestion leaving={leaving} />
    </Drawer>
  )
}

/** The head, what the drawer is about, and the buttons at the foot. */
function Inside({ title, isBusy, isList = false, onSubmit, ...props }: SideDrawerProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const leave = props.leave ?? t(isList ? 'label.close' : 'label.cancel')
  const submit = <Button type="submit" intent="primary" text={props.verb ?? t('label.submit')} loading={isBusy} />
  const content = (
    <>
      <div className={Classes.DRAWER_HEADER}>
        <H2 id={titleId}>{title}</H2>
        <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={props.onClose} />
      </div>
      <div className={Classes.DRAWER_BODY}>
        <div className="side-drawer-fields">{props.children}</div>
      </div>
      <div className={`${Classes.DRAWER_FOOTER} side-drawer-foot`}>
        <Button text={leave} disabled={isBusy} onClick={props.onClose} />
        {onSubmit ? submit : props.foot}
      </div>
    </>
  )
  return (
    <div className="side-drawer" role="dialog" aria-modal aria-labelledby={titleId}>
      {onSubmit ? (
        <Form className="side-drawer-form" isBusy={isBusy} onSubmit={onSubmit}>
          {content}
        </Form>
      ) : (
        <div className="side-drawer-list">{content}</div>
      )}
    </div>
  )
}
