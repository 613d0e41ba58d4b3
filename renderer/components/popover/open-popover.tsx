import { Classes, PopoverNext, type PopoverNextProps, PopupKind } from '@blueprintjs/core'
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type JSX,
  type ReactElement,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { manageFocus } from '../../api/focus-management.ts'

manageFocus()

/** A button and what opens beside it when it is pressed. */
export type PopoverProps = Readonly<
  Pick<PopoverNextProps, 'placement' | 'middleware'> & {
    content: JSX.Element
    /** The button. */
    children: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
    /**
     * What opens is a menu, else it is as a dialog. A menu closes without a transition and gives the focus back at once: a moment
     * later it would take it from the dialog or drawer that an entry has opened, and what is typed there would be lost.
     */
    isMenu?: boolean
  }
>

/** Opens as soon as it is there, with its button focused, to which closing returns. */
export function OpenPopover({ children, isMenu = false, placement = 'bottom-end', ...popover }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    place.current?.querySelector('button')?.focus()
    setOpen(true)
  }, [])
  const { className = '' } = children.props
  return (
    <span ref={place}>
      <PopoverNext
        {...popover}
        {...(isMenu ? { transitionDuration: 0 } : {})}
        popupKind={isMenu ? PopupKind.MENU : PopupKind.DIALOG}
        placement={placement}
        isOpen={isOpen}
        onInteraction={setOpen}
      >
        {isOpen && !isMenu ? cloneElement(children, { className: `${className} ${Classes.ACTIVE}` }) : children}
      </PopoverNext>
    </span>
  )
}
