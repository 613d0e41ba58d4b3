import './sideways.css'
import { Card, type CardProps } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'

/** A card that scrolls horizontally, also by keyboard; a shade at an edge shows that there is more. */
export function Sideways({ label, ...card }: CardProps & { label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState({ before: false, after: false })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const before = scrollLeft > 0
      const after = scrollLeft + clientWidth < scrollWidth - 1
      setMore((known) => (known.before === before && known.after === after ? known : { before, after }))
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
  const reach = more.before || more.after ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <div className="sideways" data-before={more.before} data-after={more.after}>
      <Card {...card} {...reach} ref={box} />
    </div>
  )
}
