import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { useUnsaved } from '../../api/unsaved.ts'

/** Adds what is typed in a field and not yet added. */
type Add = () => void

/** Where the fields of a form say how what is typed in them is added. */
export const TypedTextContext = createContext<Set<Add> | undefined>(undefined)

/**
 * Has `add` called before the form around the field is submitted, so that what is typed and not yet added counts; until then it
 * is unsaved, too.
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
