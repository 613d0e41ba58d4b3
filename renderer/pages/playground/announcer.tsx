import { useEffect, useRef } from 'react'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { type Entry, isComing, type Message } from './conversation.ts'

/** Tells who listens that an answer begins and that it has ended; the words between are read when somebody goes there. */
export function Announcer({ entries, model }: { entries: readonly Entry[]; model: string }) {
  const { t } = useTranslation()
  const last = entries.at(-1)
  const heard = useRef(0)
  const isGoing = last !== undefined && isComing(last)
  useEffect(() => {
    if (isGoing) heard.current = last.id
  }, [isGoing, last])
  // What was answered before the page was opened is no news; nor is a failure, which is an alert.
  const isAnnounced = last?.kind === 'message' && (isGoing || heard.current === last.id)
  const words = isAnnounced ? tellings[last.state] : undefined
  return (
    <p className="play-announcer" role="status">
      {words && t(words, { model })}
    </p>
  )
}

const tellings: Readonly<Partial<Record<Message['state'], TextKey>>> = {
  loading: 'play.says.begins',
  incomplete: 'play.says.begins',
  complete: 'play.says.ends',
  stopped: 'play.says.stopped',
}
