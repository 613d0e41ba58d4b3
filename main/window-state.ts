/** A place on the screen, in its own points. */
export type Place = Readonly<{ x: number; y: number; width: number; height: number }>
/** Where the window was, and whether it filled the screen. */
export type WindowState = Place & Readonly<{ isMaximized: boolean }>

const USUAL = { width: 1280, height: 800 } as const
/** So much of a window must be within reach, else its title cannot be taken hold of. */
const REACH = { width: 120, height: 40 } as const

/**
 * Where a new window goes: where the last one was, as long as its title is on a screen that is there now, and no larger than that
 * screen; in the middle else.
 */
export function placeFor(last: WindowState | undefined, screens: readonly Place[]): Partial<Place> & typeof USUAL {
  const screen = last && screens.find((one) => isWithinReach(last, one))
  if (!last || !screen) return USUAL
  const width = Math.min(last.width, screen.width)
  const height = Math.min(last.height, screen.height)
  return { x: last.x, y: last.y, width, height } as Place & typeof USUAL
}

function isWithinReach(window: Place, screen: Place): boolean {
  const right = Math.min(window.x + window.width, screen.x + screen.width)
  const seen = right - Math.max(window.x, screen.x)
  const top = window.y - screen.y
  return seen >= REACH.width && top >= 0 && top <= screen.height - REACH.height
}
