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

export type PopoverProps = Readonly<
  Pick<PopoverNextProps, 'placement' | 'middleware'> & {
    content: JSX.Element
    children: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
    /**
     * The content is a menu, else a dialog. A menu closes without a transition and returns the focus at once: if it did
     * so later, it would take the focus from a dialog or drawer that an entry has opened, and typed input would be
     * lost.
     */
    isMenu?: boolean
  }
>

/** Opens on mount; the button is focused first, so that closing returns the focus to it. */
export function OpenPopover({ children, isMenu = false, placement = 'bottom-end', ...popover }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    target.current?.querySelector('button')?.focus()
    setOpen(true)
  }, [])
  const { className = '' } = children.props
  return (
    <span ref={target}>
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
