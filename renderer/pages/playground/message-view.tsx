import { Callout, Classes, Spinner } from '@blueprintjs/core'
import { Clean, Person } from '@blueprintjs/icons'
import { lazy, Suspense, useState } from 'react'
import { ErrorHelp } from '../../components/error-help/error-help.tsx'
import { type Translate, useTranslation } from '../../translation.ts'
import type { Attachment } from './attachments/attachment.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import type { Message } from './conversation.ts'
import type { LaneActions } from './lane.tsx'
import { MessageEditor } from './message-editor.tsx'
import { MessageTools } from './message-tools.tsx'
import { Reasoning } from './reasoning.tsx'
import { SpentLine } from './spent-line.tsx'

/** Reading markdown is half of the page's code; it is there before the first answer is. */
export const loadMarkdown = () => import('./markdown/markdown.tsx')
const Markdown = lazy(loadMarkdown)

/** One bubble: who speaks, what was said, how far it is, what it cost, and what can be done with it. */
export function MessageView({ message, actions }: { message: Message; actions: LaneActions }) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const { role, isSample, asked } = message
  const model = asked?.model ?? ''
  const save = (text: string, attachments: readonly Attachment[]) => {
    setEditing(false)
    actions.edit(message, text, attachments)
  }
  return (
    <article className="play-message" data-role={role} aria-label={nameOf(message, t)}>
      <header className="play-speaker">
        <span className="play-avatar">{role === 'user' ? <Person size={14} /> : <Clean size={14} />}</span>
        <span className="play-name">{role === 'user' ? t('play.you') : model || t('play.model')}</span>
      </header>
      <div className="play-bubble">
        {isEditing ? (
          <MessageEditor message={message} onSave={save} onCancel={() => setEditing(false)} />
        ) : (
          <Said message={message} />
        )}
      </div>
      <Failure message={message} />
      <div className="play-foot">
        {role === 'assistant' && <SpentLine message={message} />}
        {message.state === 'stopped' && <span className={Classes.TEXT_MUTED}>{t('play.stopped')}</span>}
        {!isSample && !isEditing && (
          <MessageTools message={message} actions={actions} onEdit={() => setEditing(true)} />
        )}
      </div>
    </article>
  )
}

function nameOf({ role, asked }: Message, t: Translate): string {
  if (role === 'user') return t('play.you')
  return asked ? t('play.answerOf', { model: asked.model }) : t('play.model')
}

/** A person's words as they are; a model's as the markdown they are written in. */
function Said({ message: { role, text, reasoning, state, attachments, isSample } }: { message: Message }) {
  const { t } = useTranslation()
  const plain = text && <p className="play-plain">{text}</p>
  if (role === 'user' || isSample)
    return (
      <>
        {plain}
        <AttachmentList attachments={attachments ?? []} />
      </>
    )
  return (
    <>
      {reasoning && <Reasoning text={reasoning} isOver={text !== '' || state !== 'incomplete'} />}
      {state === 'loading' && <Spinner size={16} aria-label={t('play.waiting')} />}
      {text && (
        <Suspense fallback={plain}>
          <Markdown text={text} />
        </Suspense>
      )}
    </>
  )
}

/** Why there is no answer, or not all of it, and what to do. */
function Failure({ message: { failure, asked } }: { message: Message }) {
  if (!failure) return null
  return (
    <Callout compact intent="danger" role="alert" className="play-failure">
      <div>{failure.message}</div>
      {failure.hint && <div>{failure.hint}</div>}
      <ErrorHelp code={failure.code ?? ''} model={asked?.model ?? ''} group={asked?.group ?? ''} />
    </Callout>
  )
}
