import { Button, Classes, Divider } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { type Entry, isComing, type LaneActions, type Message } from './conversation.ts'
import { MessageView } from './message-view.tsx'

type LaneProps = Readonly<{
  entries: readonly Entry[]
  model: string
  actions: LaneActions
  /** Opens the model selection; undefined if it is visible already. */
  onChooseModel?: () => void
}>

/** A list of messages under the name of the answering model. */
export function Lane({ entries, model, actions, onChooseModel }: LaneProps) {
  const { t } = useTranslation()
  const { box, content } = useFollowing(entries.length)
  return (
    <div className="play-lane">
      {onChooseModel && (
        <div className="play-lane-head">
          <Button
            size="small"
            variant="minimal"
            endIcon={<CaretDown />}
            text={model || t('play.chooseModel')}
            title={t('play.chooseModel')}
            onClick={onChooseModel}
          />
        </div>
      )}
      <div
        className="play-messages"
        role="log"
        aria-live="off"
        aria-busy={entries.some(isComing)}
        aria-label={model ? t('play.conversationWith', { model }) : t('play.conversation')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled by keyboard too
        tabIndex={0}
        ref={box}
      >
        <div className="play-run" ref={content}>
          {entries.map((entry) =>
            entry.kind === 'message' ? (
              <MessageView key={entry.id} message={entry} actions={actions} />
            ) : (
              <div key={entry.id} className={`play-divider ${Classes.TEXT_MUTED}`}>
                <Divider />
                {t('play.cleared')}
                <Divider />
              </div>
            ),
          )}
        </div>
      </div>
      <Announcer entries={entries} model={model} />
    </div>
  )
}

/** Announces the start and end of an answer to screen readers; its text is read on navigation. */
function Announcer({ entries, model }: { entries: readonly Entry[]; model: string }) {
  const { t } = useTranslation()
  const last = entries.at(-1)
  const announcedId = useRef(0)
  const isGoing = last !== undefined && isComing(last)
  useEffect(() => {
    if (isGoing) announcedId.current = last.id
  }, [isGoing, last])
  // Answers from before the page was opened are not announced, nor are failures, which are alerts.
  const isAnnounced = last?.kind === 'message' && (isGoing || announcedId.current === last.id)
  const announcement = isAnnounced ? announcements[last.state] : undefined
  return (
    <p className="play-announcer" role="status">
      {announcement && t(announcement, { model })}
    </p>
  )
}

const announcements: Readonly<Partial<Record<Message['state'], TextKey>>> = {
  loading: 'play.says.begins',
  incomplete: 'play.says.begins',
  complete: 'play.says.ends',
  stopped: 'play.says.stopped',
}

/** Distance to the end that is still treated as the end, in pixels. */
const NEAR = 80

/**
 * Keeps the newest text in view while `content` grows or `box` shrinks, unless the user has scrolled up; always shows
 * a new message.
 */
function useFollowing(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const seen = useRef({ scrollRange: 0, count: 0 })
  useLayoutEffect(() => {
    const scrolled = box.current
    const grown = content.current
    if (!scrolled || !grown) return
    const toEnd = () => {
      scrolled.scrollTop = scrolled.scrollHeight
    }
    const follow = () => {
      // Compares with the previous scroll range.
      if (seen.current.scrollRange - scrolled.scrollTop < NEAR) toEnd()
      seen.current.scrollRange = scrolled.scrollHeight - scrolled.clientHeight
    }
    if (count > seen.current.count) toEnd()
    seen.current.count = count
    const observer = new ResizeObserver(follow)
    observer.observe(scrolled)
    observer.observe(grown)
    return () => observer.disconnect()
  }, [count])
  return { box, content }
}
