import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useCopy } from './use-copy.tsx'

/** A button that copies a text; the confirmation shows `shown` instead of it. */
export function CopyButton({ text, shown, label }: { text: string; shown?: string; label: string }) {
  const { copy, dialog } = useCopy()
  return (
    <>
      <Button icon={<Duplicate />} text={label} onClick={() => copy(text, shown)} />
      {dialog}
    </>
  )
}
