import './chat.css'
import { Button, Callout, Card, Classes, H2, Spinner } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useAddress } from '../../api/use-address.ts'
import { useTranslation } from '../../translation.ts'
import { FailedState } from '../blank-state/failed-state.tsx'
import { LinkButton } from '../link-button.tsx'
import { PageFrame } from '../page-frame/page-frame.tsx'
import { showWarning } from '../toasts.ts'
import { chatUrl, siteNameOf } from './chat-presets.ts'
import { openOutside } from './open-outside.tsx'
import { type ChatKey, useChatKey, useConsent } from './use-chat-key.ts'

type ChatDoorProps = Readonly<{
  name: string
  template: string
  /** Whether the chat opens outside of the console; if so, the confirming click opens it. */
  opensOutside: (url: URL) => boolean
  /** Renders the chat once the user has agreed to send the key to its site; the URL contains the key. */
  children: (url: URL, token: ChatKey) => ReactNode
}>

/**
 * Guards a chat: requires an enabled token, and the user's consent to where its key is sent
 * (docs/reference/screens.md#chat).
 */
export function ChatDoor({ name, template, opensOutside, children }: ChatDoorProps) {
  const { t } = useTranslation()
  const { data: token, error, refetch } = useChatKey()
  const address = useAddress()
  if (error && token === undefined)
    return (
      <PageFrame title={name}>
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      </PageFrame>
    )
  if (token === undefined) return <Leading title={name} />
  if (token === null) return <NoToken title={name} />
  const url = chatUrl(template, address, token.key)
  if (!url) return <ChatProblem title={name} text={t('chat.config')} />
  return (
    <ConsentQuestion name={name} token={token} url={url} opensOutside={opensOutside}>
      {children(url, token)}
    </ConsentQuestion>
  )
}

type ConsentProps = Omit<ChatDoorProps, 'template' | 'children'> &
  Readonly<{ token: ChatKey; url: URL; children: ReactNode }>

function ConsentQuestion({ name, token, url, opensOutside, children }: ConsentProps) {
  const { t } = useTranslation()
  const site = siteNameOf(url)
  const [isAllowed, allow] = useConsent(token, site)
  if (isAllowed) return children
  const accept = () => {
    allow()
    if (opensOutside(url)) openOutside(url)
  }
  return (
    <PageFrame title={name}>
      <Card className="chat-question">
        <H2 className="chat-question-title">
          <Key aria-hidden /> {t('chat.ask')}
        </H2>
        <dl className="chat-facts">
          <dt className={Classes.TEXT_MUTED}>{t('chat.place')}</dt>
          <dd>{site}</dd>
          <dt className={Classes.TEXT_MUTED}>{t('chat.token')}</dt>
          <dd>{token.name}</dd>
        </dl>
        <p>{t('chat.askText')}</p>
        <div className="chat-ways">
          <Button intent="primary" text={t('chat.allow', { place: site })} onClick={accept} />
          <LinkButton isFilled to="/token" text={t('label.apiTokens')} />
        </div>
      </Card>
    </PageFrame>
  )
}

export function Leading({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <PageFrame title={title}>
      <div className="chat-leading" role="status">
        <Spinner size={24} />
        {t('chat.leading')}
      </div>
    </PageFrame>
  )
}

/** Explains that a chat needs a key, then leads to the tokens. */
function NoToken({ title }: { title: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const text = t('chat.no_token')
  useEffect(() => {
    // The toast stays visible there.
    const leave = () => {
      void navigate('/token', { replace: true })
      showWarning(text)
    }
    const timer = setTimeout(leave, leaveMs)
    return () => clearTimeout(timer)
  }, [navigate, text])
  return <ChatProblem title={title} text={text} />
}

/** How long the reason is shown before leaving. */
const leaveMs = 1500

export function ChatProblem({ title, text, link }: Readonly<{ title: string; text: string; link?: ReactNode }>) {
  const { t } = useTranslation()
  return (
    <PageFrame title={title}>
      <Callout intent="warning" role="alert" className="chat-problem">
        <span className="chat-problem-text">{text}</span>
        {link ?? <LinkButton isFilled to="/token" text={t('label.apiTokens')} />}
      </Callout>
    </PageFrame>
  )
}

/** Links to the chat settings for users who may change them, else to the tokens. */
export function ChatSettings({ option }: Readonly<{ option: 'Chats' | 'ChatLink' }>) {
  const { t } = useTranslation()
  const user = useUser()
  const isOperator = user !== undefined && user.role >= role.admin
  const path = isOperator ? `/setting?tab=operation&key=${option}` : '/token'
  return <LinkButton isFilled to={path} text={t(isOperator ? 'label.systemSettings' : 'label.apiTokens')} />
}
