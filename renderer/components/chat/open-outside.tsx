import './chat.css'
import { Button, Card } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { isDesktop } from '../../api/desktop.ts'
import { useTranslation } from '../../translation.ts'
import { PageFrame } from '../page-frame/page-frame.tsx'
import { isWeb } from './chat-presets.ts'

/** A chat that opened elsewhere (in a program or on a site in the browser), with a button to open it again. */
export function OutsideChat({ name, url }: Readonly<{ name: string; url: URL }>) {
  const { t } = useTranslation()
  return (
    <PageFrame title={name}>
      <Card className="chat-question">
        <p>{t(isWeb(url) ? 'chat.outsideSite' : 'chat.outsideProgram')}</p>
        <div className="chat-ways">
          <Button icon={<Share />} text={t('chat.open', { name })} onClick={() => openOutside(url)} />
        </div>
      </Card>
    </PageFrame>
  )
}

/** Opens the chat; call on a click, or browsers block it. Passes neither a referrer nor a handle to this window. */
export const openOutside = (url: URL): void => void window.open(url, '_blank', 'noopener,noreferrer')

/**
 * Whether a chat opens outside the console's page: programs cannot be framed, and browsers block plain HTTP frames in
 * HTTPS pages; the desktop window shows no external pages and stores no keys for them.
 */
export const isOutside = (url: URL): boolean =>
  !isWeb(url) || isDesktop() || (url.protocol === 'http:' && window.location.protocol === 'https:')
