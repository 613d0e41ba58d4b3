import './chat.css'
import { Classes, Divider } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Composer } from './composer.tsx'
import type { Entry } from './conversation.ts'
import { MessageView } from './message-view.tsx'
import type { Conversation } from './use-conversation.ts'

/** The conversation with the place to write under it (docs/reference/screens.md#playground). */
export function Chat({ conversation, missing }: { conversation: Conversation; missing: string }) {
  const { t } = useTranslation()
  const { entries, isBusy, send, stop } = conversation
  const list = useFollowing(entries)
  return (
    <section className="play-chat" aria-label={t('label.chat')}>
      <div className="play-messages" role="log" aria-busy={isBusy} aria-label={t('play.conversation')} ref={list}>
        {entries.map((entry) =>
          entry.kind === 'message' ? (
            <MessageView key={entry.id} message={entry} conversation={conversation} />
          ) : (
            <div key={entry.id} className={`play-divider ${Classes.TEXT_MUTED}`}>
              <Divider />
              {t('play.cleared')}
              <Divider />
            </div>
          ),
        )}
      </div>
      <Composer isBusy={isBusy} missing={missing} onSend={send} onStop={stop} />
    </section>
  )
}

/** How near to the end counts as being there, in pixels. */
const NEAR = 80

/** Keeps the newest words in sight, unless the person has scrolled up to read. */
function useFollowing(entries: readonly Entry[]) {
  const list = useRef<HTMLDivElement>(null)
  const seen = useRef({ height: 0, count: 0 })
  useEffect(() => {
    const box = list.current
    if (!box) return
    const { height, count } = seen.current
    const wasAtEnd = height - box.scrollTop - box.clientHeight < NEAR
    if (wasAtEnd || entries.length > count) box.scrollTop = box.scrollHeight
    seen.current = { height: box.scrollHeight, count: entries.length }
  }, [entries])
  return list
}
