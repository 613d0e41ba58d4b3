import { useEffect } from 'react'
import { useStatus } from '../api/status.ts'

/** Sets the window's title to the page's name and the system's name, or to the system's name only. */
export function useTitle(title = ''): void {
  const { system_name: system } = useStatus()
  useEffect(() => {
    document.title = title ? `${title} · ${system}` : system
  }, [title, system])
}
