import * as z from 'zod/mini'
import { readStored, writeStored } from '../../../api/stored.ts'
import type { Draft } from '../use-draft.ts'

/** The text of a draft until the database has it: a page that is being left may not live to see that. */
type HurriedDraft = Readonly<{
  /** Keeps the text at once; a browser that has no room for it leaves it to the database alone. */
  keep: (text: string) => void
  /** The database has this text; another window's stays. */
  forget: (text: string) => void
  /** What the database tells, with the text it did not live to get. */
  over: (draft: Draft | undefined) => Draft | undefined
}>

const hurriedText = z.object({ userId: z.int(), text: z.string() })

/** The draft of one account that was left in a hurry (docs/reference/screens.md#playground). */
export function hurriedDraft(userId: number): HurriedDraft {
  const read = (): string | undefined => {
    const found = readStored('playground-draft', hurriedText)
    return found?.userId === userId ? found.text : undefined
  }
  const write = (value: z.infer<typeof hurriedText> | undefined) => {
    try {
      writeStored('playground-draft', value)
    } catch {
      // No room.
    }
  }
  return {
    keep: (text) => write({ userId, text }),
    forget(text) {
      if (read() === text) write(undefined)
    },
    over(draft) {
      const text = read()
      return text === undefined ? draft : { attachments: draft?.attachments ?? [], text }
    },
  }
}
