import { PopoverNext } from '@blueprintjs/core'
import { type JSX, useLayoutEffect, useRef, useState } from 'react'

type MenuPopoverProps = Readonly<{
  /** The menu. */
  content: JSX.Element
  /** The button that opens it. */
  children: JSX.Element
  /** It was asked for before its code was there: it opens by itself, with the button focused, to which closing returns. */
  startsOpen?: boolean
}>

/**
 * A menu under its button. It closes without a transition and gives the focus back at once: a moment later it would take
 * it from the dialog or drawer that an entry has opened, and what is typed there would be lost.
 */
export function MenuPopover({ content, children, startsOpen = false }: MenuPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!startsOpen) return
    place.current?.querySelector('button')?.focus()
    setOpen(true)
  }, [startsOpen])
  return (
    <span ref={place}>
      <PopoverNext
        placement="bottom-end"
        transitionDuration={0}
        content={content}
        isOpen={isOpen}
        onInteraction={setOpen}
      >
        {children}
      </PopoverNext>
    </span>
  )
}
