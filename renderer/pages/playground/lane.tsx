import { Button, Classes, Divider } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useTranslation } from '../../translation.ts'
import { Announcer } from './announcer.tsx'
import type { Attachment } from './attachments/attachment.ts'
import { type Entry, isComing, type Message } from './conversation.ts'
import { MessageView } from './message-view.tsx'
import { useFollowing } from './use-following.ts'

/** What can be done with the messages of one lane. */
export type LaneActions = Readonly<{
  isBusy: boolean
  regenerate: (answer: Message) => void
  edit: (message: Message, text: string, attachments: readonly Attachment[]) => void
  remove: (message: Message) => void
  viewCode: (answer: Message) => void
}>

type LaneProps = Readonly<{
  entries: readonly Entry[]
  model: string
  actions: LaneActions
  /** Leads to where the model is chosen; absent where that stands beside it. */
  onChooseModel?: () => void
}>

/** One run of messages under the name of the model that answers. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what was said is scrolled by the keyboard, too
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
