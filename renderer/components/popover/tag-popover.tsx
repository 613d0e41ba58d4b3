import './tag-popover.css'
import { Classes, type Intent } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { Popover } from './popover.tsx'

type TagPopoverProps = Readonly<{
  intent: Intent
  className?: string
  /** Shown to a pointer that rests on it. */
  hint?: string
  /** What opens: an element with the role of a dialog and its name. */
  content: ReactElement
  children: ReactNode
}>

/**
 * A tag that opens onto more. It is a real button, which a key presses once; an interactive Tag of Blueprint is clicked by its
 * popover when a key goes down and by itself when it comes up, and is shut again where the second comes before the focus has moved.
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

/** A phone is hardly wider than what it tells. */
const awayFromEdges = { shift: { padding: 8 } }
