import { useEffect } from 'react'
import { useStatus } from '../api/status.ts'

/** Names the page in the window's title, before the name of the system; without a name it is the system's alone. */
export function useTitle(title = ''): void {
  const { system_name: system } = useStatus()
  useEffect(() => {
    document.title = title ? `${title} · ${system}` : system
  }, [title, system])
}
