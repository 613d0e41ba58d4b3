import { useEffect, useRef, useState } from 'react'
import type { Kept } from './kept/use-kept.ts'
import { isEmpty } from './lanes.ts'
import { loadMarkdown } from './message-view.tsx'
import type { Conversation } from './use-conversation.ts'
import type { Current } from './use-current.ts'
import type { Drafting } from './use-draft.ts'

/** Restores the newest conversation and the draft; stores the draft when the page is left. Returns true once loaded. */
export function useOpening(kept: Kept, held: Current, conversation: Conversation, drafting: Drafting): boolean {
  const [isReady, setReady] = useState(false)
  const now = useRef({ kept, held, conversation, drafting })
  const first = useRef(held.current)
  useEffect(() => {
    now.current = { kept, held, conversation, drafting }
  })
  useEffect(() => {
    let isOver = false
    const resume = async () => {
      const found = await now.current.kept.newest()
      // Old answers render as markdown from the start.
      if (found.conversation) await loadMarkdown().catch(() => undefined)
      if (isOver) return
      const { held, conversation, drafting } = now.current
      // Skipped if the user has already started something: a message, a choice or a comparison.
      if (found.conversation && held.latest() === first.current) conversation.open(found.conversation)
      if (found.draft && isBlank(drafting.draft)) drafting.write(found.draft)
      setReady(true)
    }
    void resume()
    return () => {
      isOver = true
    }
  }, [])
  useEffect(() => {
    if (!isReady) return
    const store = () => {
      const { kept, held, drafting } = now.current
      kept.saveDraft(drafting.draft)
      if (!isEmpty(held.latest())) held.keepAtOnce()
    }
    const keepWhenHidden = () => document.visibilityState === 'hidden' && store()
    document.addEventListener('visibilitychange', keepWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', keepWhenHidden)
      store()
    }
  }, [isReady])
  return isReady
}

const isBlank = ({ text, attachments }: Drafting['draft']): boolean => text === '' && attachments.length === 0
