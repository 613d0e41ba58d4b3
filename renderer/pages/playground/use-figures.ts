import { useEffect, useRef } from 'react'
import { costOf } from './cost-of.ts'
import type { KeptConversation } from './kept/kept-conversation.ts'
import { changeMessage } from './lanes.ts'
import type { Current } from './use-current.ts'

/** Only the newest are looked for: the log is asked once for each. */
const LOOKED_FOR = 4

/** Fills in what answers cost that were left before the usage log knew, such as by closing the page. */
export function useFigures(alter: Current['alter']): (conversation: KeptConversation) => void {
  const life = useRef(new AbortController())
  useEffect(() => {
    life.current = new AbortController()
    return () => life.current.abort()
  }, [])
  const fillIn = async ({ id, lanes }: KeptConversation) => {
    const { signal } = life.current
    const missing = lanes
      .flatMap((entries, place) => entries.map((entry) => ({ entry, place })))
      .flatMap(({ entry, place }) => (entry.kind === 'message' ? [{ message: entry, place }] : []))
      .filter(({ message: { requestId, spent } }) => requestId && spent?.quota === undefined)
    for (const { message, place } of missing.slice(-LOOKED_FOR)) {
      const spent = await costOf(message.requestId ?? '', signal, 1).catch(() => undefined)
      if (spent && !signal.aborted) alter(id, changeMessage(place, message.id, { spent }))
    }
  }
  return (conversation) => void fillIn(conversation)
}
