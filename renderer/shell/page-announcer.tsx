import { useEffect, useRef, useState } from 'react'

/**
 * Announces the title of the new page to screen readers: the document stays the same, so the browser announces nothing.
 * Browsers announce the first page themselves.
 */
export function PageAnnouncer() {
  const [announcement, announce] = useState('')
  const from = useRef(location.pathname)
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(() => {
      if (location.pathname === from.current) return
      from.current = location.pathname
      announce(document.title)
    })
    observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <div className="layout-announcer" aria-live="polite">
      {announcement}
    </div>
  )
}
