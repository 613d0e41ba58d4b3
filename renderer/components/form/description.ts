import { createContext, useContext } from 'react'

/** What else describes the fields within, by its id. */
export const DescriptionContext = createContext<string | undefined>(undefined)

/** What describes a field, for its `aria-describedby`: its own note, if it has one, and what stands around it. */
export function useDescription(noteId: string | false | undefined): string | undefined {
  const around = useContext(DescriptionContext)
  return [noteId, around].filter(Boolean).join(' ') || undefined
}
