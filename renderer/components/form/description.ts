import { createContext, useContext } from 'react'

/** The id of a text that describes a group of fields, provided to each field of the group. */
export const DescriptionContext = createContext<string | undefined>(undefined)

/** A field's `aria-describedby`: its own note, if any, and the surrounding description. */
export function useDescription(noteId: string | false | undefined): string | undefined {
  const around = useContext(DescriptionContext)
  return [noteId, around].filter(Boolean).join(' ') || undefined
}
