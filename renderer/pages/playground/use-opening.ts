import { useEffect, useRef, useState } from 'react'
import type { StoredConversations } from './conversations/use-stored-conversations.ts'
import { isEmpty } from './lanes.ts'
import { loadMarkdown } from './message-view.tsx'
import type { Conversation } from './use-conversation.ts'
import type { Current } from './use-current.ts'
import type { Drafting } from './use-draft.ts'

/**
 * Restores the newest conversation and the draft; stores both when the page is left or hidden. Returns true once they
 * have loaded.
 */
export function useOpening(
  stored: StoredConversations,
  currentState: Current,
  conversation: Conversation,
  drafting: Drafting,
): boolean {
  const [isReady, setReady] = useState(false)
  const now = useRef({ stored, currentState, conversation, drafting })
  const first = useRef(currentState.current)
  useEffect(() => {
    now.current = { stored, currentState, conversation, drafting }
  })
  useEffect(() => {
    let isOver = false
    const resume = async () => {
      const found = await now.current.stored.newest()
      // Old answers render as markdown from the start.
      if (found.conversation) await loadMarkdown().catch(() => undefined)
      if (isOver) return
      const { currentState, conversation, drafting } = now.current
      // Skipped if the user has already started something: a message, a choice or a comparison.
      if (found.conversation && currentState.latest() === first.current) conversation.open(found.conversation)
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
      const { stored, currentState, drafting } = now.current
      stored.saveDraft(drafting.draft)
      if (!isEmpty(currentState.latest())) currentState.storeAtOnce()
    }
    const storeWhenHidden = () => document.visibilityState === 'hidden' && store()
    document.addEventListener('visibilitychange', storeWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', storeWhenHidden)
      store()
    }
  }, [isReady])
  return isReady
}

const isBlank = ({ text, attachments }: Drafting['draft']): boolean => text === '' && attachments.length === 0
