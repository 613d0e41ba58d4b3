import './side-drawer.css'
import { Button, Classes, Drawer, H2 } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useId } from 'react'
import { useBlocker } from 'react-router-dom'
import { manageFocus } from '../../api/focus-management.ts'
import { useUnsaved } from '../../api/unsaved.ts'
import { useTranslation } from '../../translation.ts'
import { Form } from '../form/form.tsx'
import { clearToasts } from '../toasts.ts'
import { useNarrow, useTight } from '../use-narrow.ts'
import { LeavingQuestion } from './leaving-question.tsx'
import { type Leaving, useLeaving } from './use-leaving.ts'

manageFocus()

type SideDrawerProps = Readonly<{
  title: string
  /** The form is being submitted; it can be neither submitted again nor left. */
  isBusy: boolean
  /** There are changes: every way out asks first, including the browser's. */
  isDirty?: boolean
  /** The submit button's text; “Save” by default. */
  verb?: string | undefined
  /** The leave button's text; by default “Cancel” for a form and “Close” for a list. */
  leave?: string
  /** CSS width on large windows; 480 pixels by default. */
  width?: string
  /** Contains a list with its own forms: wide, and full width on a tablet. */
  isList?: boolean
  /** A list's footer buttons next to “Close”. */
  foot?: ReactNode
  /** Called on Escape, an outside click and the buttons. */
  onClose: () => void
  /** Called by the button, by Enter in a field and by Ctrl+Enter anywhere; the caller validates. Lists have none. */
  onSubmit?: () => void
  children: ReactNode
}>

/** A form or list in a drawer at the right with fixed buttons; full width on a phone. Mount it to open it. */
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
    <Drawer
      isOpen
      onClose={leaving.leave}
      size={isWhole ? '100%' : size}
      canOutsideClickClose={!isBusy}
      canEscapeKeyClose={!isBusy}
    >
      <Inside {...props} isList={isList} onClose={leaving.leave} />
      {leaving.guard && <RouterGuard {...leaving.guard} />}
      <LeavingQuestion leaving={leaving} />
    </Drawer>
  )
}

function Inside({ title, isBusy, isList = false, onSubmit, ...props }: SideDrawerProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const leave = props.leave ?? t(isList ? 'label.close' : 'label.cancel')
  const submit = <Button type="submit" intent="primary" text={props.verb ?? t('label.submit')} loading={isBusy} />
  const content = (
    <>
      <div className={Classes.DRAWER_HEADER}>
        <H2 id={titleId}>{title}</H2>
        <Button
          variant="minimal"
          icon={<Cross />}
          aria-label={t('label.close')}
          disabled={isBusy}
          onClick={props.onClose}
        />
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

/** Blocks the navigations that `holds` selects while it is mounted, and reports the blocker's state. */
function RouterGuard({ holds, onTurn }: NonNullable<Leaving['guard']>) {
  const blocker = useBlocker(holds)
  useEffect(() => {
    onTurn(blocker)
    return () => onTurn(undefined)
  }, [blocker, onTurn])
  return null
}
