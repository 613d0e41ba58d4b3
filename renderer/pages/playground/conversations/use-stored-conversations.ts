import { useEffect, useMemo, useState } from 'react'
import { currentUserId } from '../../../api/session.ts'
import type { Draft } from '../use-draft.ts'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'
import type { StoredConversation } from './stored-conversation.ts'

/**
 * The playground's storage in this browser. Only `store` throws; `isFailing` reports that the last attempt to store
 * something failed.
 */
export type StoredConversations = Readonly<{
  store: ConversationStore
  isFailing: boolean
  /**
   * Stores a conversation; resolves to the stored version, merged with another window's changes since `base`, or
   * undefined on failure.
   */
  save: (conversation: StoredConversation, base?: StoredConversation) => Promise<StoredConversation | undefined>
  saveDraft: (draft: Draft) => void
  amend: (id: string, change: (now: StoredConversation) => StoredConversation) => void
  /** The newest conversation and the draft; empty if there are none or they cannot be read. */
  newest: () => Promise<Readonly<{ conversation?: StoredConversation; draft?: Draft }>>
}>

/** Opens the user's store, and closes it on unmount. */
export function useStoredConversations(): StoredConversations {
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

async function amendIn(store: ConversationStore, id: string, change: (now: StoredConversation) => StoredConversation) {
  const now = await store.read(id)
  if (now) await store.save(change(now), now)
}

async function newestIn(store: ConversationStore) {
  const [[latest], draft] = await Promise.all([store.list(), store.readDraft()])
  return { conversation: latest && (await store.read(latest.id)), draft }
}
