import './confirm.css'
import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { manageFocus } from '../../api/focus-management.ts'
import { useTranslation } from '../../translation.ts'

manageFocus()

type ConfirmProps = Readonly<{
  isOpen: boolean
  question: string
  verb: string
  /** The action is not destructive, only larger than expected; destructive by default. */
  isHarmless?: boolean
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}>

export function ConfirmDialog({
  isOpen,
  question,
  verb,
  isBusy,
  onConfirm,
  onCancel,
  children,
  ...props
}: ConfirmProps) {
  const { t } = useTranslation()
  const bodyId = useId()
  const actions = (
    <>
      <Button autoFocus text={t('label.cancel')} disabled={isBusy} onClick={onCancel} />
      <Button intent={props.isHarmless ? 'primary' : 'danger'} text={verb} loading={isBusy} onClick={onConfirm} />
    </>
  )
  return (
    <Dialog
      role="alertdialog"
      className="confirm fits-window"
      title={question}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={onCancel}
      aria-describedby={bodyId}
    >
      <DialogBody>
        <div id={bodyId}>{children}</div>
      </DialogBody>
      <DialogFooter actions={actions} />
    </Dialog>
  )
}
