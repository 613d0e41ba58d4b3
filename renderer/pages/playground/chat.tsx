import './chat.css'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { Composer } from './composer.tsx'
import { type Entry, type Message, textMessage } from './conversation.ts'
import { Lane } from './lane.tsx'
import { isEmpty } from './lanes.ts'
import type { Conversation } from './use-conversation.ts'
import type { Drafting } from './use-draft.ts'

const LanesView = lazy(() => import('./compare/lanes-view.tsx'))

type ChatProps = Readonly<{
  conversation: Conversation
  drafting: Drafting
  /** Stored conversations have been read; the example is not shown before. */
  isReady: boolean
  /** Why nothing can be sent yet; empty if everything is ready. */
  missing: string
  /** Whether the missing part is loading. */
  isLoading: boolean
  onViewCode: (index: number, answer: Message) => void
  onChooseModel?: () => void
}>

/** The conversation with the composer below it (docs/reference/screens.md#playground). */
export function Chat({ conversation, drafting, isReady, missing, isLoading, onViewCode, onChooseModel }: ChatProps) {
  const { t } = useTranslation()
  const samples = useSamples()
  const { current, isBusy, settingsOf, regenerate, ...actions } = conversation
  const drop = useDrop(drafting.attach)
  const entriesOf = (entries: readonly Entry[]) => (isEmpty(current) && isReady ? samples : entries)
  const lanes = current.lanes.map((entries, index) => {
    const { model } = settingsOf(index)
    const own = {
      ...actions,
      isBusy,
      regenerate: (answer: Message) => regenerate(index, answer),
      viewCode: (answer: Message) => onViewCode(index, answer),
    }
    const id = String(index)
    const lane = (
      <Lane key={id} entries={entriesOf(entries)} model={model} actions={own} onChooseModel={onChooseModel} />
    )
    return { id, model, lane }
  })
  const send = () => {
    const { text, attachments } = drafting.draft
    conversation.send(text.trim(), attachments)
    drafting.write({ text: '', attachments: [] })
  }
  return (
    <section className="play-chat" aria-label={t('label.chat')} {...drop}>
      {lanes.length > 1 ? (
        <Suspense>
          <LanesView lanes={lanes} />
        </Suspense>
      ) : (
        lanes[0]?.lane
      )}
      <Composer
        isBusy={isBusy}
        missing={missing}
        isLoading={isLoading}
        drafting={drafting}
        onSend={send}
        onStop={conversation.stop}
      />
    </section>
  )
}

/** Attaches dropped files to the message; by default the browser would navigate to them. */
function useDrop(onFiles: Drafting['attach']) {
  const [isOver, setOver] = useState(false)
  return {
    'data-drop': isOver,
    onDragOver(event: React.DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: React.DragEvent) {
      setOver(false)
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
  }
}

/** The example shown in an empty conversation (docs/reference/screens.md#playground); it is never sent. */
function useSamples(): readonly Entry[] {
  const { t } = useTranslation()
  return [
    { ...textMessage(-2, 'user', t('play.sampleAsk')), isSample: true },
    { ...textMessage(-1, 'assistant', t('play.sampleAnswer')), isSample: true },
  ]
}
