import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import type { TokenView } from '../../../shared/api/token.ts'
import { isChatLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'
import { showWarning } from '../../components/toasts.ts'
import { keyOf } from './token-key.ts'

type ChatDialogProps = Readonly<{ token: TokenView; isOpen: boolean; onClose: () => void }>

/**
 * The chats that the operator has set up; each says where the key will go before it goes there
 * (docs/reference/screens.md#tokens).
 */
export function ChatDialog({ token, isOpen, onClose }: ChatDialogProps) {
  const { t } = useTranslation()
  const { server_address: configured } = useStatus()
  const chats = useChats()
  const address = configured || window.location.origin
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
        <p>{chats.length === 0 ? t('chat.none') : t('token.chatHint')}</p>
        <ul className="token-chats">
          {chats.map(({ name, template }) => (
            <li key={name}>
              <Button text={name} onClick={() => open(template)} />
              <span className={Classes.TEXT_MUTED}>{placeOf(chatUrl(template, address, ''))}</span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

/** The option is a list of objects, each with names and templates. */
const useChats = () =>
  useStatus().chats.flatMap((chat) => Object.entries(chat).map(([name, template]) => ({ name, template })))

/** Fills a template in; undefined when it is none that may be opened, or what results is no address. */
function chatUrl(template: string, address: string, key: string): URL | undefined {
  if (!isChatLink(template)) return undefined
  return URL.parse(template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)) ?? undefined
}

/** The site, or for a program its scheme. */
function placeOf(url: URL | undefined): string {
  if (!url) return ''
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol
}
