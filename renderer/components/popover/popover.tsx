import { Classes } from '@blueprintjs/core'
import { cloneElement, useState } from 'react'
import { OpenPopover, type PopoverProps } from './open-popover.tsx'

/** A button that opens something beside it. Before the first press it is only the button: a list has hundreds of them. */
export function Popover(props: PopoverProps) {
  const [isPressed, setPressed] = useState(false)
  if (isPressed) return <OpenPopover {...props} />
  // It stands as it will once it has been pressed.
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
