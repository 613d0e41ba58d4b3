import { PopoverNext } from '@blueprintjs/core'
import type { JSX } from 'react'

type MenuPopoverProps = Readonly<{
  /** The menu. */
  content: JSX.Element
  /** The button that opens it. */
  children: JSX.Element
}>

/**
 * A menu under its button. It closes without a transition and gives the focus back at once: a moment later it would take
 * it from the dialog or drawer that an entry has opened, and what is typed there would be lost.
 */
export function MenuPopover({ content, children }: MenuPopoverProps) {
  return (
    <PopoverNext placement="bottom-end" transitionDuration={0} content={content}>
      {children}
    </PopoverNext>
  )
}
