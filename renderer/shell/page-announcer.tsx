import { useEffect, useRef, useState } from 'react'

/**
 * Tells a screen reader the title of a page one has gone to: the document stays, so the browser itself says nothing. The
 * first page it reads by itself.
 */
export function PageAnnouncer() {
  const [said, setSaid] = useState('')
  const from = useRef(location.pathname)
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(() => {
      if (location.pathname === from.current) return
      from.current = location.pathname
      setSaid(document.title)
    })
    observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <div className="layout-announcer" aria-live="polite">
      {said}
    </div>
  )
}
