import { Classes } from '@blueprintjs/core'
import { cloneElement, useState } from 'react'
import type { PopoverProps } from './open-popover.tsx'
import { loadedParts, loadParts, type PopoverParts } from './parts.tsx'

/**
 * A button that opens something beside it. What opens it is fetched when the button is first pressed; when that cannot be had
 * nothing opens, and the next press tries again.
 */
export function Popover(props: PopoverProps) {
  const [parts, setParts] = useState<PopoverParts>()
  if (parts) return <parts.OpenPopover {...props} />
  const open = () => {
    const loaded = loadedParts()
    if (loaded) setParts(loaded)
    else void loadParts().then(setParts, () => undefined)
  }
  // It stands as it will when its parts are there.
  return (
    <span>
      <span className={Classes.POPOVER_TARGET}>
        {cloneElement(props.children, {
          'aria-expanded': false,
          'aria-haspopup': props.isMenu ? 'menu' : 'dialog',
          onClick: open,
        })}
      </span>
    </span>
  )
}
