import './chat.css'
import { Button, Card } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { isDesktop } from '../../api/desktop.ts'
import { useTranslation } from '../../translation.ts'
import { PageFrame } from '../page-frame/page-frame.tsx'
import { isWeb } from './chat-presets.ts'

/** A chat that was opened elsewhere, and once more: a program, or a site in a browser. */
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

/** Opens it, at a press: browsers open nothing unasked. Neither our address nor a handle on this window goes along. */
export const openOutside = (url: URL): void => void window.open(url, '_blank', 'noopener,noreferrer')

/**
 * Programs have no frame, and browsers none for a page that is not encrypted in one that is; from the desktop's window nothing
 * of others is shown, and no key kept with it.
 */
export const isOutside = (url: URL): boolean =>
  !isWeb(url) || isDesktop() || (url.protocol === 'http:' && window.location.protocol === 'https:')
