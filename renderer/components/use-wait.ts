import { useState } from 'react'
import { useEachSecond } from './cooldown/countdown.tsx'

/** Seconds until something may be done once more, 0 when it may; and the verb that begins the wait. */
export function useWait(seconds: number): [left: number, begin: () => void] {
  const [until, setUntil] = useState(0)
  const left = useEachSecond(() => Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  return [left, () => setUntil(Date.now() + seconds * 1000)]
}
