import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { TokenView } from '../../../shared/api/token.ts'
import { useAddress } from '../../api/use-address.ts'
import { chatUrl, siteNameOf, useChatPresets } from '../../components/chat/chat-presets.ts'
import { showWarning } from '../../components/toasts.ts'
import { keyOf } from '../../components/token-key.ts'
import { useTranslation } from '../../translation.ts'

type ChatDialogProps = Readonly<{ token: TokenView; isOpen: boolean; onClose: () => void }>

/** The operator's chats, with a warning where a click sends the key (docs/reference/screens.md#tokens). */
export function ChatDialog({ token, isOpen, onClose }: ChatDialogProps) {
  const { t } = useTranslation()
  const chats = useChatPresets()
  const address = useAddress()
  const open = (template: string) => {
    const url = chatUrl(template, address, keyOf(token))
    if (!url) return showWarning(t('chat.config'))
    window.open(url, '_blank', 'noopener,noreferrer')
    onClose()
  }
  return (
    <Dialog
      className="fits-window"
      title={t('token.chatTitle', { name: token.name })}
      isOpen={isOpen}
      onClose={onClose}
      isCloseButtonShown={false}
    >
      <DialogBody>
        {!chats && <p>{t('chat.parse')}</p>}
        {chats && <p>{chats.length === 0 ? t('chat.none') : t('token.chatHint')}</p>}
        <ul className="token-chats">
          {chats?.map(({ name, template }) => (
            <li key={name}>
              <Button text={name} onClick={() => open(template)} />
              <span className={Classes.TEXT_MUTED}>{siteNameOf(chatUrl(template, address, ''))}</span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
