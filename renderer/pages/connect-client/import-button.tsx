import { Button } from '@blueprintjs/core'
import { Import } from '@blueprintjs/icons'
import { useState } from 'react'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useTranslation } from '../../translation.ts'

type ImportButtonProps = Readonly<{
  text: string
  program: string
  /** The link including the key; created only after confirmation. */
  link: () => string
}>

/** Passes address and key to a program on this machine, after a confirmation. */
export function ImportButton({ text, program, link }: ImportButtonProps) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const close = () => setConfirming(false)
  const open = () => {
    window.open(link(), '_blank', 'noopener,noreferrer')
    close()
  }
  return (
    <>
      <Button icon={<Import />} text={text} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('client.importTitle', { program })}
        verb={t('client.openProgram', { program })}
        isHarmless
        isBusy={false}
        onConfirm={open}
        onCancel={close}
      >
        {t('client.importHint', { program })}
      </Confirm>
    </>
  )
}
