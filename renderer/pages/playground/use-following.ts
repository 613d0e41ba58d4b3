import { useLayoutEffect, useRef } from 'react'

/** How near to the end counts as being there, in pixels. */
const NEAR = 80

/**
 * Keeps the newest words in sight while `content` grows or `box` shrinks, unless the person has scrolled up to read; a new
 * message is always shown.
 */
export function useFollowing(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const seen = useRef({ room: 0, count: 0 })
  useLayoutEffect(() => {
    const scrolled = box.current
    const grown = content.current
    if (!scrolled || !grown) return
    const toEnd = () => {
      scrolled.scrollTop = scrolled.scrollHeight
    }
    const follow = () => {
      // Measured by what there was to scroll before.
      if (seen.current.room - scrolled.scrollTop < NEAR) toEnd()
      seen.current.room = scrolled.scrollHeight - scrolled.clientHeight
    }
    if (count > seen.current.count) toEnd()
    seen.current.count = count
    const observer = new ResizeObserver(follow)
    observer.observe(scrolled)
    observer.observe(grown)
    return () => observer.disconnect()
  }, [count])
  return { box, content }
}
