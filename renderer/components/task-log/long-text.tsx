import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { later } from '../later.tsx'

const TextDialog = later(async () => (await import('./text-dialog.tsx')).TextDialog)

type LongTextProps = Readonly<{
  text: string
  title: string
  whole?: () => string
}>

/** A text truncated to its column; a click shows it in full. */
export function LongText({ text, title, whole = () => text }: LongTextProps) {
  const [isOpen, setOpen] = useState(false)
  if (text === '') return <span>—</span>
  return (
    <>
      <Button
        className="long-text"
        variant="minimal"
        size="small"
        text={text}
        title={text.slice(0, 500)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <TextDialog title={title} text={whole()} onClose={() => setOpen(false)} />}
    </>
  )
}
