import { useEffect, useRef, useState } from 'react'
import { type KeptConversation, newConversation } from './kept/kept-conversation.ts'
import { merged } from './kept/merge.ts'
import type { Kept } from './kept/use-kept.ts'
import { isAnswering, isEmpty } from './lanes.ts'

/** The conversation on the page. */
export type Current = Readonly<{
  current: KeptConversation
  /** The conversation at once, before the page is drawn again. */
  latest: () => KeptConversation
  /** Puts another, or the same with a change, on the page. */
  put: (next: KeptConversation) => void
  /** Changes the conversation of this id, wherever it is by now. */
  alter: (id: string, change: (now: KeptConversation) => KeptConversation) => void
  /** Has it kept as it is now, also while an answer is coming in. */
  keep: () => void
  /** As the page is being left: there is no time to look what other windows have kept. */
  keepAtOnce: () => void
}>

/** A conversation as the page has it, and as it was kept when the page and the browser last had the same. */
type Held = { now: KeptConversation; base: KeptConversation }

/**
 * Holds the conversation on the page, and has everything kept that was said once no answer is coming in. What another window
 * keeps of the same conversation is shown here as well, and neither overwrites the other.
 */
export function useCurrent(kept: Kept): Current {
  const [current, setCurrent] = useState(() => newConversation({}))
  const latest = useRef<Held>({ now: current, base: current })
  const queue = useRef({ last: Promise.resolve(), length: 0 })
  const hold = (held: Held, now: KeptConversation) => {
    held.now = now
    if (held === latest.current) setCurrent(now)
  }
  /** What is kept by now becomes what both have in common; what was said here since `sent` stays. */
  const adopt = (held: Held, sent: KeptConversation, theirs: KeptConversation) => {
    const now = held.now === sent ? theirs : merged({ base: sent, ours: held.now, theirs })
    held.base = theirs
    hold(held, now)
  }
  const save = async (held: Held, base?: KeptConversation) => {
    const sent = held.now
    const saved = sent !== held.base && (await kept.save(sent, base))
    if (saved) adopt(held, sent, saved)
  }
  /** One after the other; at once where nothing is under way, so that who lists what is kept next sees it. */
  const enqueue = (work: () => Promise<void>) => {
    const line = queue.current
    const begun = line.length === 0 ? work() : line.last.then(work)
    line.length += 1
    line.last = begun.finally(() => {
      line.length -= 1
    })
  }
  const keep = (held: Held) => enqueue(() => save(held, held.base))
  const put = (next: KeptConversation) => {
    if (next.id !== latest.current.now.id) latest.current = { now: next, base: next }
    hold(latest.current, next)
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

/** Listens to the other windows as long as the page is there. */
function useWatch({ store }: Kept, onKept: (id: string) => void): void {
  const listener = useRef(onKept)
  useEffect(() => {
    listener.current = onKept
  })
  useEffect(() => store.watch((id) => listener.current(id)), [store])
}
