import type { MenuDividerProps, MenuItemProps, MenuProps } from '@blueprintjs/core'
import { type JSX, type ReactNode, useEffect, useState } from 'react'
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
export function useParts(): PopoverParts | undefined {
  const [loaded, keep] = useState(loadedParts)
  useEffect(() => {
    if (loaded) return
    let isOver = false
    void loadParts().then(
      (now) => isOver || keep(now),
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

/** Blueprint's tooltip; until its code has come, what it is about stands alone. */
export function Tooltip({ children, ...tooltip }: TooltipProps): ReactNode {
  const loaded = useParts()
  return loaded ? <loaded.Tooltip {...tooltip}>{children}</loaded.Tooltip> : children
}
