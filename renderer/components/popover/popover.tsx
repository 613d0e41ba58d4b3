import { Classes } from '@blueprintjs/core'
import { cloneElement, useState } from 'react'
import { OpenPopover, type PopoverProps } from './open-popover.tsx'

/**
 * A button that opens a popover. Until the first press only the button is rendered, because a list has hundreds of
 * them.
 */
export function Popover(props: PopoverProps) {
  const [isPressed, setPressed] = useState(false)
  if (isPressed) return <OpenPopover {...props} />
  // Same markup as after the press.
  return (
    <span>
      <span className={Classes.POPOVER_TARGET}>
        {cloneElement(props.children, {
          'aria-expanded': false,
          'aria-haspopup': props.isMenu ? 'menu' : 'dialog',
          onClick: () => setPressed(true),
        })}
      </span>
    </span>
  )
}
