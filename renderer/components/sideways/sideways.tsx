import './sideways.css'
import { Card, type CardProps } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'

/**
 * A card that scrolls horizontally, also by keyboard, if its content is too wide (`data-wide`); a shade at an edge
 * shows that there is more.
 */
export function Sideways({ label, ...card }: CardProps & { label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState({ isWide: false, before: false, after: false })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const { scrollLeft, clientWidth } = element
      const width = Math.max(element.scrollWidth, element.firstElementChild?.scrollWidth ?? 0)
      const isWide = width > clientWidth + 1
      const before = scrollLeft > 0
      const after = scrollLeft + clientWidth < width - 1
      setMore((known) => (isSame(known, { isWide, before, after }) ? known : { isWide, before, after }))
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const reach = more.isWide ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <div className="sideways" data-wide={more.isWide} data-before={more.before} data-after={more.after}>
      <Card {...card} {...reach} ref={box} />
    </div>
  )
}

type Edges = Readonly<{ isWide: boolean; before: boolean; after: boolean }>

const isSame = (one: Edges, other: Edges): boolean =>
  one.isWide === other.isWide && one.before === other.before && one.after === other.after
