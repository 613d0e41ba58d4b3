import { useEffect, useRef, useState } from 'react'
import { type SavedConversation, newConversation } from './kept/kept-conversation.ts'
import { merged } from './kept/merge.ts'
import type { Kept } from './kept/use-kept.ts'
import { isAnswering, isEmpty } from './lanes.ts'

export type Current = Readonly<{
  current: SavedConversation
  /** The conversation now, before the next render. */
  latest: () => SavedConversation
  /** Replaces the current conversation, or updates it. */
  put: (next: SavedConversation) => void
  /** Changes the conversation of this id, current or not. */
  alter: (id: string, change: (now: SavedConversation) => SavedConversation) => void
  /** Stores it now, even while an answer is being received. */
  keep: () => void
  /** For leaving the page: there is no time to check what other windows have stored. */
  keepAtOnce: () => void
}>

/** The current conversation, and its last version in sync with the database. */
type CurrentVersion = { now: SavedConversation; base: SavedConversation }

/**
 * Holds the current conversation and stores it whenever no answer is being received. Merges what other windows store
 * of the same conversation.
 */
export function useCurrent(kept: Kept): Current {
  const [current, setCurrent] = useState(() => newConversation({}))
  const latest = useRef<CurrentVersion>({ now: current, base: current })
  const queue = useRef({ last: Promise.resolve(), length: 0 })
  const update = (held: CurrentVersion, now: SavedConversation) => {
    held.now = now
    if (held === latest.current) setCurrent(now)
  }
  /** The stored version becomes the base; changes made here since `sent` are preserved. */
  const adopt = (held: CurrentVersion, sent: SavedConversation, theirs: SavedConversation) => {
    const now = held.now === sent ? theirs : merged({ base: sent, ours: held.now, theirs })
    held.base = theirs
    update(held, now)
  }
  const save = async (held: CurrentVersion, base?: SavedConversation) => {
    const sent = held.now
    const saved = sent !== held.base && (await kept.save(sent, base))
    if (saved) adopt(held, sent, saved)
  }
  /**
   * Runs tasks sequentially; the first one starts at once, so that a following list of the stored conversations
   * includes it.
   */
  const enqueue = (work: () => Promise<void>) => {
    const line = queue.current
    const result = line.length === 0 ? work() : line.last.then(work)
    line.length += 1
    line.last = result.finally(() => {
      line.length -= 1
    })
  }
  const keep = (held: CurrentVersion) => enqueue(() => save(held, held.base))
  const put = (next: SavedConversation) => {
    if (next.id !== latest.current.now.id) latest.current = { now: next, base: next }
    update(latest.current, next)
    if (!isEmpty(next) && !isAnswering(next)) keep(latest.current)
  }
  useWatch(kept, (id) =>
    enqueue(async () => {
      const held = latest.current
      if (id !== held.now.id) return
      const theirs = await kept.store.read(id).catch(() => undefined)
      if (theirs && theirs.revision !== held.base.revision) adopt(held, held.base, theirs)
    }),
  )
  return {
    current,
    latest: () => latest.current.now,
    put,
    alter: (id, change) => (id === latest.current.now.id ? put(change(latest.current.now)) : kept.amend(id, change)),
    keep: () => keep(latest.current),
    keepAtOnce: () => void save(latest.current),
  }
}

/** Listens to other windows while the page is mounted. */
function useWatch({ store }: Kept, onKept: (id: string) => void): void {
  const listener = useRef(onKept)
  useEffect(() => {
    listener.current = onKept
  })
  useEffect(() => store.watch((id) => listener.current(id)), [store])
}
