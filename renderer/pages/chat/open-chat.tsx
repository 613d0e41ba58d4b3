import { Button, Classes, H1 } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useStatus } from '../../api/status.ts'
import { siteNameOf } from '../../components/chat/chat-presets.ts'
import { isOutside, OutsideChat, openOutside } from '../../components/chat/open-outside.tsx'
import type { ChatKey } from '../../components/chat/use-chat-key.ts'
import { MessageFrame } from '../../components/message-frame.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTitle } from '../../components/use-title.ts'
import { useTranslation } from '../../translation.ts'

type OpenChatProps = Readonly<{ name: string; url: URL; token: ChatKey }>

/** The chat in a frame, or a link if it cannot be framed (docs/reference/screens.md#chat). */
export function OpenChat(chat: OpenChatProps) {
  return isOutside(chat.url) ? <OutsideChat name={chat.name} url={chat.url} /> : <Framed {...chat} />
}

function Framed({ name, url, token }: OpenChatProps) {
  const { t } = useTranslation()
  const { chat_devices: hasDevices } = useStatus()
  const isNarrow = useNarrow()
  useTitle(name)
  return (
    <section className="chat-open">
      <div className="chat-head">
        <H1>{name}</H1>
        <span className={`chat-head-facts ${Classes.TEXT_MUTED}`}>
          {t('chat.facts', { place: siteNameOf(url), token: token.name })}
        </span>
        <Button
          variant="minimal"
          icon={<Share />}
          aria-label={t('chat.outside')}
          text={isNarrow ? undefined : t('chat.outside')}
          onClick={() => openOutside(url)}
        />
      </div>
      <MessageFrame
        key={url.href}
        className="chat-frame"
        title={name}
        address={url.href}
        sandbox={sandboxOf(url)}
        allow={allowedIn(url, hasDevices === true)}
        origin={url.origin}
      />
    </section>
  )
}

/**
 * A chat may store conversations under its own origin, save files and open links; it cannot navigate this window. A
 * chat served from the console's own origin gets neither an origin nor unsandboxed windows, which would have the
 * console's rights.
 */
const sandboxOf = (url: URL): string =>
  [
    'allow-scripts allow-forms allow-modals allow-downloads allow-popups',
    ...(url.origin === window.location.origin ? [] : ['allow-same-origin', 'allow-popups-to-escape-sandbox']),
  ].join(' ')

/**
 * Allows copying, and microphone and camera if the operator has enabled them; the browser still asks. Applies to the
 * chat's own origin only.
 */
const allowedIn = ({ origin }: URL, hasDevices: boolean): string =>
  ['clipboard-write', ...(hasDevices ? ['microphone', 'camera'] : [])].map((what) => `${what} ${origin}`).join('; ')
