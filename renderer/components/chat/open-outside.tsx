import './chat.css'
import { Button, Card } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { PageFrame } from '../page-frame/page-frame.tsx'
import { isWeb, placeOf } from './chat-presets.ts'

/** The way to a chat that is not shown here: a program, or a site in a browser. */
export function OutsideChat({ name, url }: Readonly<{ name: string; url: URL }>) {
  const { t } = useTranslation()
  const place = placeOf(url)
  return (
    <PageFrame title={name}>
      <Card className="chat-question">
        <p>{t(isWeb(url) ? 'chat.outsideSite' : 'chat.outsideProgram')}</p>
        <div className="chat-ways">
          <OpenOutside text={t('chat.open', { place })} url={url} />
        </div>
      </Card>
    </PageFrame>
  )
}

/** Opens it at a press, for browsers open nothing unasked; neither our address nor a handle on this window goes along. */
export function OpenOutside({
  text,
  url,
  isMinimal = false,
}: Readonly<{ text: string; url: URL; isMinimal?: boolean }>) {
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer')
  const look = isMinimal ? ({ variant: 'minimal' } as const) : ({ intent: 'primary' } as const)
  return <Button icon={<Share />} text={text} onClick={open} {...look} />
}
