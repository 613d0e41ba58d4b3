import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import type { Leaving } from './use-leaving.ts'

/** Blocks navigation while mounted, and reports the blocker's state. */
export function RouterGuard({ holds, onTurn }: NonNullable<Leaving['guard']>) {
  const blocker = useBlocker(holds)
  useEffect(() => {
    onTurn(blocker)
    return () => onTurn(undefined)
  }, [blocker, onTurn])
  return null
}
