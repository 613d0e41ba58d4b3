import './tag-popover.css'
import { Classes, type Intent } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { Popover } from './popover.tsx'

type TagPopoverProps = Readonly<{
  intent: Intent
  className?: string
  hint?: string
  /** The content: an element with the dialog role and a name. */
  content: ReactElement
  children: ReactNode
}>

/**
 * A tag that opens a popover. It is a real button, so that a key press clicks it once. Blueprint's interactive Tag is
 * clicked twice, by its popover on key down and by itself on key up, and the second click closes the popover again if
 * the focus has not moved by then.
 */
export function TagPopover({ intent, className = '', hint, content, children }: TagPopoverProps) {
  return (
    <Popover placement="bottom" middleware={awayFromEdges} content={content}>
      <button type="button" className={`${looks} ${Classes.intentClass(intent) ?? ''} ${className}`} title={hint}>
        <span className={Classes.FILL}>{children}</span>
      </button>
    </Popover>
  )
}

const looks = `tag-popover ${Classes.TAG} ${Classes.MINIMAL} ${Classes.INTERACTIVE}`

/** The popover may be nearly as wide as a phone. */
const awayFromEdges = { shift: { padding: 8 } }
