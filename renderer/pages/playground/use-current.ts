import { useEffect, useRef, useState } from 'react'
import { merged } from './conversations/merge.ts'
import { newConversation, type StoredConversation } from './conversations/stored-conversation.ts'
import type { StoredConversations } from './conversations/use-stored-conversations.ts'
import { isAnswering, isEmpty } from './lanes.ts'

export type Current = Readonly<{
  current: StoredConversation
  /** The conversation now, before the next render. */
  latest: () => StoredConversation
  /** Replaces the current conversation, or updates it. */
  put: (next: StoredConversation) => void
  /** Changes the conversation of this id, current or not. */
  alter: (id: string, change: (now: StoredConversation) => StoredConversation) => void
  /** Stores the conversation now, even while an answer is being received. */
  storeNow: () => void
  /** Stores the conversation while the page is being left, when there is no time to merge changes of other windows. */
  storeAtOnce: () => void
}>

/** The current conversation, and its last version in sync with the database. */
type CurrentVersion = { now: StoredConversation; base: StoredConversation }

/**
 * Holds the current conversation and stores it after each change, but not while an answer is being received. Merges
 * what other windows store of the same conversation.
 */
export function useCurrent(stored: StoredConversations): Current {
  const [current, setCurrent] = useState(() => newConversation({}))
  const latest = useRef<CurrentVersion>({ now: current, base: current })
  const queue = useRef({ last: Promise.resolve(), length: 0 })
  const update = (version: CurrentVersion, now: StoredConversation) => {
    version.now = now
    if (version === latest.current) setCurrent(now)
  }
  /** The stored version becomes the base; changes made here since `sent` are preserved. */
  const adopt = (version: CurrentVersion, sent: StoredConversation, theirs: StoredConversation) => {
    const now = version.now === sent ? theirs : merged({ base: sent, ours: version.now, theirs })
    version.base = theirs
    update(version, now)
  }
  const save = async (version: CurrentVersion, base?: StoredConversation) => {
    const sent = version.now
    const saved = sent !== version.base && (await stored.save(sent, base))
    if (saved) adopt(version, sent, saved)
  }
  /**
   * Runs tasks sequentially. The first one starts at once, so that a list of the stored conversations read right
   * afterwards includes the conversation that the task stores.
   */
  const enqueue = (work: () => Promise<void>) => {
    const line = queue.current
    const result = line.length === 0 ? work() : line.last.then(work)
    line.length += 1
    line.last = result.finally(() => {
      line.length -= 1
    })
  }
  const storeNow = (version: CurrentVersion) => enqueue(() => save(version, version.base))
  const put = (next: StoredConversation) => {
    if (next.id !== latest.current.now.id) latest.current = { now: next, base: next }
    update(latest.current, next)
    if (!isEmpty(next) && !isAnswering(next)) storeNow(latest.current)
  }
  useWatch(stored, (id) =>
    enqueue(async () => {
      const version = latest.current
      if (id !== version.now.id) return
      const theirs = await stored.store.read(id).catch(() => undefined)
      if (theirs && theirs.revision !== version.base.revision) adopt(version, version.base, theirs)
    }),
  )
  return {
    current,
    latest: () => latest.current.now,
    put,
    alter: (id, change) => (id === latest.current.now.id ? put(change(latest.current.now)) : stored.amend(id, change)),
    storeNow: () => storeNow(latest.current),
    storeAtOnce: () => void save(latest.current),
  }
}

/** Listens to other windows while the page is mounted. */
function useWatch({ store }: StoredConversations, onStored: (id: string) => void): void {
  const listener = useRef(onStored)
  useEffect(() => {
    listener.current = onStored
  })
  useEffect(() => store.watch((id) => listener.current(id)), [store])
}
