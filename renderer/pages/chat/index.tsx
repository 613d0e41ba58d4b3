import { useTranslation } from 'react-i18next'
import { useMatch } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { ChatDoor, ChatProblem } from '../../components/chat/chat-door.tsx'
import { useChatPresets } from '../../components/chat/chat-presets.ts'
import { isOutside } from '../../components/chat/open-outside.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { OpenChat } from './open-chat.tsx'

/** A chat that the operator has set up, by its place among them; without one the first (docs/reference/screens.md#chat). */
export default function ChatPage() {
  const { t } = useTranslation()
  const presets = useChatPresets()
  const id = useMatch('/chat/:id')?.params.id ?? '0'
  const title = t('label.chat')
  if (!presets) return <ChatProblem title={title} text={t('chat.parse')} />
  if (presets.length === 0) return <ChatProblem title={title} text={t('chat.none')} way={<Settings />} />
  const preset = /^\d{1,3}$/.test(id) ? presets[Number(id)] : undefined
  if (!preset) return <ChatProblem title={title} text={t('chat.config')} />
  const { name, template } = preset
  return (
    <ChatDoor key={id} name={name} template={template} opensOutside={isOutside}>
      {(url, token) => <OpenChat name={name} url={url} token={token} />}
    </ChatDoor>
  )
}

/** Who may add a chat is led to where that is done. */
function Settings() {
  const { t } = useTranslation()
  const user = useUser()
  const isOperator = user !== undefined && user.role >= role.admin
  const place = isOperator ? '/setting?tab=operation&key=Chats' : '/token'
  return <LinkButton isFilled to={place} text={t(isOperator ? 'page.setting' : 'label.apiTokens')} />
}
