import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { useUnsaved } from '../../api/unsaved.ts'

type Add = () => void

/** Registry of a form's fields with pending input. */
export const TypedTextContext = createContext<Set<Add> | undefined>(undefined)

/**
 * Calls `add` before the surrounding form is submitted, so that pending input is included; until then the input is
 * unsaved.
 */
export function useTypedText(typed: string, add: Add): void {
  const fields = useContext(TypedTextContext)
  useUnsaved(typed.trim() !== '')
  const latest = useRef(add)
  useLayoutEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    const call = () => latest.current()
    fields?.add(call)
    return () => void fields?.delete(call)
  }, [fields])
}
