import { useEffect, useMemo, useState } from 'react'
import { currentUserId } from '../../../api/session.ts'
import type { Draft } from '../use-draft.ts'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'
import type { KeptConversation } from './kept-conversation.ts'

/** What this browser keeps of the playground. Nothing here throws: `isFailing` tells that something could not be kept. */
export type Kept = Readonly<{
  store: ConversationStore
  isFailing: boolean
  /** Keeps it; tells it as it is kept, with what another window has kept of it since `base`, where it could be. */
  save: (conversation: KeptConversation, base?: KeptConversation) => Promise<KeptConversation | undefined>
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
    const attempt = <Result>(work: Promise<Result>) =>
      work.then(
        (result) => {
          setFailing(false)
          return result
        },
        () => {
          setFailing(true)
          return undefined
        },
      )
    return {
      store,
      isFailing,
      save: (conversation, base) => attempt(store.save(conversation, base)),
      saveDraft: (draft) => void attempt(store.saveDraft(draft)),
      amend: (id, change) => void attempt(amendIn(store, id, change)),
      newest: () => newestIn(store).catch(() => ({})),
    }
  }, [store, isFailing])
}

async function amendIn(store: ConversationStore, id: string, change: (now: KeptConversation) => KeptConversation) {
  const now = await store.read(id)
  if (now) await store.save(change(now), now)
}

async function newestIn(store: ConversationStore) {
  const [[latest], draft] = await Promise.all([store.list(), store.readDraft()])
  return { conversation: latest && (await store.read(latest.id)), draft }
}
