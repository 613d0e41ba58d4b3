import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'

/** Whether the question is open, and what each answer does. */
type Leaving = Readonly<{ isAsking: boolean; leave: () => void; confirm: () => void; stay: () => void }>

/** Guards unsaved changes: closing, going to another page and closing the window all ask first while `isDirty`. */
export function useLeaving(isDirty: boolean, onLeave: () => void): Leaving {
  const [isClosing, close] = useState(false)
  // Who has said yes is not asked again where leaving is going to another address.
  const isGoing = useRef(false)
  const blocker = useBlocker(() => isDirty && !isGoing.current)
  useEffect(() => {
    if (!isDirty) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isDirty])
  return {
    isAsking: isClosing || blocker.state === 'blocked',
    leave: () => (isDirty ? close(true) : onLeave()),
    confirm: () => {
      if (blocker.state === 'blocked') return blocker.proceed()
      close(false)
      isGoing.current = true
      onLeave()
    },
    stay: () => {
      blocker.reset?.()
      close(false)
    },
  }
}
