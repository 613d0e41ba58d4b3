import { useEffect } from 'react'
import { isWebLink } from '../../../shared/links.ts'
import { isDesktop } from '../../api/desktop.ts'
import { useStatus } from '../../api/status.ts'
import { ChatDoor, ChatProblem, ChatSettings, Leading } from '../../components/chat/chat-door.tsx'
import { linkTemplate } from '../../components/chat/chat-presets.ts'
import { OutsideChat } from '../../components/chat/open-outside.tsx'
import { useTranslation } from '../../translation.ts'

/** Redirects to the operator's chat site with key and address (docs/reference/screens.md#chat). */
export default function ChatLinkPage() {
  const { t } = useTranslation()
  const { chat_link: link } = useStatus()
  const title = t('label.chat')
  if (typeof link !== 'string' || link === '')
    return <ChatProblem title={title} text={t('chat.none')} link={<ChatSettings option="ChatLink" />} />
  if (!isWebLink(link)) return <ChatProblem title={title} text={t('chat.config')} />
  return (
    <ChatDoor name={title} template={linkTemplate(link)} opensOutside={isDesktop}>
      {(url) => (isDesktop() ? <OutsideChat name={title} url={url} /> : <Gone title={title} url={url} />)}
    </ChatDoor>
  )
}

/** Replaces the history entry, so that Back does not redirect again. */
function Gone({ title, url }: Readonly<{ title: string; url: URL }>) {
  useEffect(() => window.location.replace(url), [url])
  return <Leading title={title} />
}
