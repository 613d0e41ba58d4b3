import { useRef, useState } from 'react'
import { type KeptConversation, newConversation } from './kept/kept-conversation.ts'
import type { Kept } from './kept/use-kept.ts'
import { isAnswering, isEmpty } from './lanes.ts'

/** The conversation on the page. */
export type Current = Readonly<{
  current: KeptConversation
  /** The conversation at once, before the page is drawn anew. */
  latest: () => KeptConversation
  /** Puts another, or the same with a change, on the page. */
  put: (next: KeptConversation) => void
  /** Changes the conversation of this id, wherever it is by now. */
  alter: (id: string, change: (now: KeptConversation) => KeptConversation) => void
}>

/** Holds the conversation on the page, and has everything kept that was said once no answer is coming in. */
export function useCurrent(kept: Kept): Current {
  const [current, show] = useState(() => newConversation({}))
  const latest = useRef(current)
  const put = (next: KeptConversation) => {
    latest.current = next
    show(next)
    if (!isEmpty(next) && !isAnswering(next)) kept.save(next)
  }
  return {
    current,
    latest: () => latest.current,
    put,
    alter: (id, change) => (id === latest.current.id ? put(change(latest.current)) : kept.amend(id, change)),
  }
}
