import type { MenuDividerProps, MenuItemProps, MenuProps } from '@blueprintjs/core'
import { createElement, type JSX, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fetchLater } from '../later.tsx'
import type * as Blueprint from './blueprint-popover.ts'

/**
 * Blueprint's popovers and menus, and what they stand on, are a sixth of what a list takes; its rows are seen sooner without
 * (docs/decisions/2026-11-22-a-light-first-view.md). They come with the first press, or before that once the page is there.
 */
export type PopoverParts = typeof Blueprint

/** The parts, where they have come. */
export const loadedParts = (): PopoverParts | undefined => parts

/** Fetches the parts, unless they are there; what fails can be tried again. */
export async function loadParts(): Promise<PopoverParts> {
  parts ??= await import('./blueprint-popover.ts')
  return parts
}

let parts: PopoverParts | undefined
fetchLater(loadParts)

/** The parts as soon as they have come, which are asked for at once. */
function useParts(): PopoverParts | undefined {
  const [loaded, setLoaded] = useState(loadedParts)
  useEffect(() => {
    if (loaded) return
    let isOver = false
    void loadParts().then(
      (now) => isOver || setLoaded(now),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [loaded])
  return loaded
}

/** What is in a popover stands there once its parts have come. */
function opened(): PopoverParts {
  if (!parts) throw new Error('a menu is shown before its code has come')
  return parts
}

/** Blueprint's menu; within a popover. */
export function Menu(props: MenuProps): JSX.Element {
  const { Menu: Loaded } = opened()
  return <Loaded {...props} />
}

/** Blueprint's entry of a menu. */
export function MenuItem(props: MenuItemProps): JSX.Element {
  const { MenuItem: Loaded } = opened()
  return <Loaded {...props} />
}

/** Blueprint's line between entries of a menu. */
export function MenuDivider(props: MenuDividerProps): JSX.Element {
  const { MenuDivider: Loaded } = opened()
  return <Loaded {...props} />
}

type TooltipProps = Readonly<{
  content: JSX.Element | string
  children: ReactNode
  placement?: 'right'
  openOnTargetFocus?: boolean
  targetTagName?: 'div'
}>

/**
 * Blueprint's tooltip; only its target until its code is loaded. Then the target is replaced by one that has a tooltip, which
 * takes over focus and pointer: an element that is replaced neither blurs nor sees a pointer that rests on it.
 */
export function Tooltip({ children, ...tooltip }: TooltipProps): ReactNode {
  const loaded = useParts()
  const place = useRef<HTMLElement>(null)
  const has = useRef({ focus: false, pointer: false })
  useLayoutEffect(() => {
    if (!loaded) return
    if (has.current.focus) place.current?.querySelector<HTMLElement>('a, button, [tabindex]')?.focus()
    const target = has.current.pointer && place.current?.firstElementChild
    if (target) target.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
  }, [loaded])
  const note = (kind: 'focus' | 'pointer', is: boolean) => () => {
    has.current[kind] = is
  }
  return createElement(
    tooltip.targetTagName ?? 'span',
    {
      ref: place,
      style: { display: 'contents' },
      onFocus: note('focus', true),
      onBlur: note('focus', false),
      onMouseEnter: note('pointer', true),
      onMouseLeave: note('pointer', false),
    },
    loaded ? <loaded.Tooltip {...tooltip}>{children}</loaded.Tooltip> : children,
  )
}
