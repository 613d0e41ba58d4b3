/** A rectangle on the screen, in device-independent pixels. */
type Bounds = Readonly<{ x: number; y: number; width: number; height: number }>
export type WindowState = Bounds & Readonly<{ isMaximized: boolean }>

const USUAL = { width: 1280, height: 800 } as const
/** The part of a window that must be visible, so that its title bar can be dragged. */
const REACH = { width: 120, height: 40 } as const

/**
 * The bounds of a new window: those of the last one if its title bar is on a connected screen, with a size limited to
 * that screen's; otherwise only the default size, which centers the window.
 */
export function boundsFor(last: WindowState | undefined, screens: readonly Bounds[]): Partial<Bounds> & typeof USUAL {
  const screen = last && screens.find((one) => isWithinReach(last, one))
  if (!last || !screen) return USUAL
  const width = Math.min(last.width, screen.width)
  const height = Math.min(last.height, screen.height)
  return { x: last.x, y: last.y, width, height } as Bounds & typeof USUAL
}

function isWithinReach(window: Bounds, screen: Bounds): boolean {
  const right = Math.min(window.x + window.width, screen.x + screen.width)
  const seen = right - Math.max(window.x, screen.x)
  const top = window.y - screen.y
  return seen >= REACH.width && top >= 0 && top <= screen.height - REACH.height
}
