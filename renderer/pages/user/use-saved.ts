import { useEffect, useEffectEvent, useState } from 'react'

/** Closes a form after the save, once nothing is unsaved, so that leaving does not ask. */
export function useSaved(onClose: () => void): Readonly<{ isSaved: boolean; finish: () => void }> {
  const [isSaved, setSaved] = useState(false)
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (isSaved) leave()
  }, [isSaved])
  return { isSaved, finish: () => setSaved(true) }
}
