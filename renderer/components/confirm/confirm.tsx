import { Alert } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type ConfirmProps = Readonly<{
  isOpen: boolean
  /** The verb on the button, e.g. Delete. */
  verb: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
  /** The question; it names what will be destroyed. */
  children: ReactNode
}>

/** Asks before something is destroyed. Escape and the way back do nothing. */
export function Confirm({ isOpen, verb, isBusy, onConfirm, onCancel, children }: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <Alert
      className="fits-window"
      isOpen={isOpen}
      intent="danger"
      icon={<Trash size={32} />}
      confirmButtonText={verb}
      cancelButtonText={t('label.cancel')}
      canEscapeKeyCancel
      loading={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {children}
    </Alert>
  )
}
