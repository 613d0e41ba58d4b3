import { useEffect, useMemo, useState } from 'react'
import { currentUserId } from '../../../api/session.ts'
import type { Draft } from '../use-draft.ts'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'
import type { KeptConversation } from './kept-conversation.ts'

/** What this browser keeps of the playground. Nothing here throws: `isFailing` tells that something could not be kept. */
export type Kept = Readonly<{
  store: ConversationStore
  isFailing: boolean
  save: (conversation: KeptConversation) => void
  saveDraft: (draft: Draft) => void
  /** Changes a conversation that is not the one on the page. */
  amend: (id: string, change: (now: KeptConversation) => KeptConversation) => void
  /** The newest conversation, with the draft; empty where there is none or nothing can be read. */
  newest: () => Promise<Readonly<{ conversation?: KeptConversation; draft?: Draft }>>
}>

/** Opens what is kept for who is signed in, and closes it with the page. */
export function useKept(): Kept {
  const store = useMemo(() => createConversationStore(currentUserId()), [])
  const [isFailing, setFailing] = useState(false)
  useEffect(() => store.close, [store])
  return useMemo(() => {
    const attempt = (work: Promise<void>) =>
      void work.then(
        () => setFailing(false),
        () => setFailing(true),
      )
    return {
      store,
      isFailing,
      save: (conversation) => attempt(store.save(conversation)),
      saveDraft: (draft) => attempt(store.saveDraft(draft)),
      amend: (id, change) => attempt(amendIn(store, id, change)),
      newest: () => newestIn(store).catch(() => ({})),
    }
  }, [store, isFailing])
}

async function amendIn(store: ConversationStore, id: string, change: (now: KeptConversation) => KeptConversation) {
  const now = await store.read(id)
  if (now) await store.save(change(now))
}

async function newestIn(store: ConversationStore) {
  const [[latest], draft] = await Promise.all([store.list(), store.readDraft()])
  return { conversation: latest && (await store.read(latest.id)), draft }
}
