import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import type { Leaving } from './use-leaving.ts'

/** Holds back other addresses while it is mounted, and tells how far that is. */
export function RouterGuard({ holds, onTurn }: NonNullable<Leaving['guard']>) {
  const blocker = useBlocker(holds)
  useEffect(() => {
    onTurn(blocker)
    return () => onTurn(undefined)
  }, [blocker, onTurn])
  return null
}
