import { useMatch } from 'react-router-dom'
import { ChatDoor, ChatProblem, ChatSettings } from '../../components/chat/chat-door.tsx'
import { useChatPresets } from '../../components/chat/chat-presets.ts'
import { isOutside } from '../../components/chat/open-outside.tsx'
import { useTranslation } from '../../translation.ts'
import { OpenChat } from './open-chat.tsx'

/** One of the operator's chats, by index; the first one by default (docs/reference/screens.md#chat). */
export default function ChatPage() {
  const { t } = useTranslation()
  const presets = useChatPresets()
  const id = useMatch('/chat/:id')?.params.id ?? '0'
  const title = t('label.chat')
  if (!presets) return <ChatProblem title={title} text={t('chat.parse')} />
  if (presets.length === 0)
    return <ChatProblem title={title} text={t('chat.none')} link={<ChatSettings option="Chats" />} />
  const preset = /^\d{1,3}$/.test(id) ? presets[Number(id)] : undefined
  if (!preset) return <ChatProblem title={title} text={t('chat.config')} />
  const { name, template } = preset
  return (
    <ChatDoor key={id} name={name} template={template} opensOutside={isOutside}>
      {(url, token) => <OpenChat name={name} url={url} token={token} />}
    </ChatDoor>
  )
}
