import { Button, Callout } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import type { TelegramUser } from '../../../shared/api/oauth.ts'
import { useTranslation } from '../../translation.ts'
import { useLatest } from '../use-latest.ts'
import { hearTelegram } from './telegram-answer.ts'
import { useProviderTexts } from './use-provider-texts.ts'

type TelegramWidgetProps = Readonly<{
  bot: string
  onUser: (user: TelegramUser) => void
}>

/** Telegram's button, inserted by its script (docs/reference/screens.md#login-providers). */
export function TelegramWidget({ bot, onUser }: TelegramWidgetProps) {
  const { t } = useTranslation()
  const { textOf } = useProviderTexts()
  const [isFailed, setFailed] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const latest = useLatest(onUser)
  const title = useLatest(textOf('provider.logIn', 'telegram'))
  useEffect(() => {
    if (isFailed) return
    const { mark, stop } = hearTelegram((user) => latest.current(user))
    const script = document.createElement('script')
    script.addEventListener('error', () => setFailed(true))
    script.addEventListener('load', () => {
      const frame = script.parentElement?.querySelector('iframe')
      if (frame) frame.title = title.current
    })
    Object.assign(script.dataset, { telegramLogin: bot, size: 'large', userpic: 'false', authUrl: `#${mark}` })
    script.src = 'https://telegram.org/js/telegram-widget.js?22'
    const element = box.current
    element?.append(script)
    return () => {
      stop()
      element?.replaceChildren()
    }
  }, [bot, isFailed, latest, title])
  if (!isFailed) return <div ref={box} />
  return (
    <Callout compact intent="warning" role="alert">
      <p>{t('provider.telegramFailed')}</p>
      <Button size="small" icon={<Refresh />} text={t('state.retry')} onClick={() => setFailed(false)} />
    </Callout>
  )
}
