import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Import } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type ImportButtonProps = Readonly<{
  text: string
  /** The program that opens the link. */
  program: string
  /** The link with the key in it; it is made for whoever said yes. */
  link: () => string
}>

/** Hands address and key to a program on this machine, once it was said that it gets them. */
export function ImportButton({ text, program, link }: ImportButtonProps) {
  const { t } = useTranslation()
  const [isAsking, ask] = useState(false)
  const close = () => ask(false)
  const open = () => {
    window.open(link(), '_blank', 'noopener,noreferrer')
    close()
  }
  const actions = (
    <>
      <Button text={t('label.cancel')} onClick={close} />
      <Button intent="primary" text={t('client.openProgram', { program })} onClick={open} />
    </>
  )
  return (
    <>
      <Button icon={<Import />} text={text} onClick={() => ask(true)} />
      <Dialog
        className="fits-window"
        title={t('client.importTitle', { program })}
        isOpen={isAsking}
        onClose={close}
        isCloseButtonShown={false}
      >
        <DialogBody>{t('client.importHint', { program })}</DialogBody>
        <DialogFooter actions={actions} />
      </Dialog>
    </>
  )
}
