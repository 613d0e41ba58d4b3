import { useState } from 'react'
import { useEachSecond } from './cooldown/countdown.tsx'

/** Seconds until an action is available again (0 if it is), and a function that starts the wait. */
export function useWait(seconds: number): [left: number, begin: () => void] {
  const [until, setUntil] = useState(0)
  const left = useEachSecond(() => Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  return [left, () => setUntil(Date.now() + seconds * 1000)]
}
