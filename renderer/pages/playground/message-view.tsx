import { Callout, Classes, Spinner } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from './conversation.ts'
import { Markdown } from './markdown/markdown.tsx'
import { MessageEditor } from './message-editor.tsx'
import { MessageTools } from './message-tools.tsx'
import { Reasoning } from './reasoning.tsx'
import { SpentLine } from './spent-line.tsx'
import type { Conversation } from './use-conversation.ts'

/** One bubble: what was said, how far it is, what it cost, and what can be done with it. */
export function MessageView({ message, conversation }: { message: Message; conversation: Conversation }) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const { role, isSample } = message
  const save = (text: string) => {
    setEditing(false)
    conversation.edit(message, text)
  }
  return (
    <article className="play-message" data-role={role} aria-label={t(role === 'user' ? 'play.you' : 'play.model')}>
      <div className="play-bubble">
        {isEditing ? (
          <MessageEditor text={message.text} onSave={save} onCancel={() => setEditing(false)} />
        ) : (
          <Said message={message} />
        )}
      </div>
      <Failure message={message} />
      <div className="play-foot">
        {message.spent && <SpentLine spent={message.spent} />}
        {message.state === 'stopped' && <span className={Classes.TEXT_MUTED}>{t('play.stopped')}</span>}
        {!isSample && !isEditing && (
          <MessageTools message={message} conversation={conversation} onEdit={() => setEditing(true)} />
        )}
      </div>
    </article>
  )
}

/** A person's words as they are; a model's as the markdown they are written in. */
function Said({ message: { role, text, reasoning, state } }: { message: Message }) {
  const { t } = useTranslation()
  if (role === 'user') return <p className="play-plain">{text}</p>
  return (
    <>
      {reasoning && <Reasoning text={reasoning} isOver={text !== '' || state !== 'incomplete'} />}
      {state === 'loading' && <Spinner size={16} aria-label={t('play.waiting')} />}
      {text && <Markdown text={text} />}
    </>
  )
}

/** Why there is no answer, or not all of it, and what to do. */
function Failure({ message: { failure } }: { message: Message }) {
  if (!failure) return null
  return (
    <Callout compact intent="danger" role="alert" className="play-failure">
      <div>{failure.message}</div>
      {failure.hint && <div>{failure.hint}</div>}
    </Callout>
  )
}
