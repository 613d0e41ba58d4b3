import { Callout, Classes, Spinner } from '@blueprintjs/core'
import { Clean, Person } from '@blueprintjs/icons'
import { lazy, Suspense, useState } from 'react'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { groupDigits } from '../../components/count.tsx'
import { ErrorHelp } from '../../components/error-help/error-help.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { type Translate, useTranslation } from '../../translation.ts'
import type { Attachment } from './attachments/attachment.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import type { LaneActions, Message, Spent } from './conversation.ts'
import { firstTokenMs, shortRate, tokensPerSecond } from './figures.ts'
import { MessageEditor } from './message-editor.tsx'
import { MessageTools } from './message-tools.tsx'

/** The markdown renderer is half of the page's code; it is loaded before the first answer. */
export const loadMarkdown = () => import('./markdown/markdown.tsx')
const Markdown = lazy(loadMarkdown)

export function MessageView({ message, actions }: { message: Message; actions: LaneActions }) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const { role, isSample, asked: settings } = message
  const model = settings?.model ?? ''
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
          <MessageContent message={message} />
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

function nameOf({ role, asked: settings }: Message, t: Translate): string {
  if (role === 'user') return t('play.you')
  return settings ? t('play.answerOf', { model: settings.model }) : t('play.model')
}

/** A user's text as is; a model's as markdown. */
function MessageContent({ message: { role, text, reasoning, state, attachments, isSample } }: { message: Message }) {
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

function Failure({ message: { failure, asked: settings } }: { message: Message }) {
  if (!failure) return null
  return (
    <Callout compact intent="danger" role="alert" className="play-failure">
      <div>{failure.message}</div>
      {failure.hint && <div>{failure.hint}</div>}
      <ErrorHelp code={failure.code ?? ''} model={settings?.model ?? ''} group={settings?.group ?? ''} />
    </Callout>
  )
}

/** The model's reasoning, collapsed by default. */
function Reasoning({ text, isOver }: { text: string; isOver: boolean }) {
  const { t } = useTranslation()
  return (
    <details className="play-reasoning">
      <summary className={Classes.TEXT_MUTED}>{t(isOver ? 'play.thought' : 'play.thinking')}</summary>
      <p className={`play-plain ${Classes.TEXT_MUTED}`}>{text}</p>
    </details>
  )
}

const DIGITS = 6

/** Input and output tokens, the cost if known (as in the usage log), and the speed. */
function SpentLine({ message }: { message: Message }) {
  const { t } = useTranslation()
  const duration = useDuration()
  const first = firstTokenMs(message)
  const rate = tokensPerSecond(message)
  return (
    <span className={`play-figures tabular ${Classes.TEXT_MUTED}`}>
      {message.spent && <Cost spent={message.spent} />}
      {first !== undefined && <span>{t('play.firstToken', { time: duration(first) })}</span>}
      {rate !== undefined && <span>{t('play.rate', { rate: shortRate(rate) })}</span>}
    </span>
  )
}

function Cost({ spent: { prompt, completion, quota } }: { spent: Spent }) {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const tokens = t('play.tokens', { prompt: groupDigits(prompt), completion: groupDigits(completion) })
  if (quota === undefined) return <span>{tokens}</span>
  return (
    <span title={t('quota.exact', { n: groupDigits(quota) })}>
      {`${tokens} · ${formatQuota(quota, { inCurrency, quotaPerUnit }, DIGITS)}`}
    </span>
  )
}
