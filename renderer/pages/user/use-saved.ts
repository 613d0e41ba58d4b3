import { useEffect, useEffectEvent, useState } from 'react'

/** Closes a form once it is saved, when nothing in it is unsaved any more: leaving does not ask then. */
export function useSaved(onClose: () => void): Readonly<{ isSaved: boolean; finish: () => void }> {
  const [isSaved, setSaved] = useState(false)
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (isSaved) leave()
  }, [isSaved])
  return { isSaved, finish: () => setSaved(true) }
}
