import * as z from 'zod/mini'
import { readStored, writeStored } from '../../../api/stored.ts'
import type { Draft } from '../use-draft.ts'

/**
 * Holds a draft's text until the database has stored it, because storing may not finish while the page is being left.
 */
type HurriedDraft = Readonly<{
  /** Stores the text synchronously; does nothing if there is no space. */
  store: (text: string) => void
  /** Called once the database has this text; another window's text stays. */
  forget: (text: string) => void
  /** Merges the text into the database's draft. */
  over: (draft: Draft | undefined) => Draft | undefined
}>

const hurriedText = z.object({ userId: z.int(), text: z.string() })

/** One account's draft at page exit (docs/reference/screens.md#playground). */
export function hurriedDraft(userId: number): HurriedDraft {
  const read = (): string | undefined => {
    const found = readStored('playground-draft', hurriedText)
    return found?.userId === userId ? found.text : undefined
  }
  const write = (value: z.infer<typeof hurriedText> | undefined) => {
    try {
      writeStored('playground-draft', value)
    } catch {
      // No space.
    }
  }
  return {
    store: (text) => write({ userId, text }),
    forget(text) {
      if (read() === text) write(undefined)
    },
    over(draft) {
      const text = read()
      return text === undefined ? draft : { attachments: draft?.attachments ?? [], text }
    },
  }
}
