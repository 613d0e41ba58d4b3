import './human-check.css'
import { Button, Callout } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { languageTag } from '../../../shared/messages/locales.ts'
import { currentLocale } from '../../i18n.ts'
import { useTheme } from '../../theme.ts'
import { useTranslation } from '../../translation.ts'

type HumanCheckProps = Readonly<{
  siteKey: string
  /** Called with a single-use token, and with undefined when it has expired. */
  onToken: (token: string | undefined) => void
}>

/**
 * The Turnstile widget, in an iframe whose page is the only one allowed to load Cloudflare's script
 * (docs/reference/security.md#page-headers). Remount it for another token.
 */
export function HumanCheck({ siteKey, onToken }: HumanCheckProps) {
  const { t } = useTranslation()
  const [attempt, setAttempt] = useState(1)
  const [isFailed, setFailed] = useState(false)
  const { isDark } = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  useFrameMessage(frame, ({ token, problem }) => {
    if (problem) setFailed(true)
    else onToken(token || undefined)
  })
  const again = () => {
    setFailed(false)
    setAttempt(attempt + 1)
  }
  const parameters = {
    key: siteKey,
    theme: isDark ? 'dark' : 'light',
    language: languageTag(currentLocale()).toLowerCase(),
  }
  const address = `/human-check.html#${new URLSearchParams(parameters)}`
  return (
    <div className="human-check">
      {isFailed ? (
        <Callout compact intent="warning" role="alert">
          <p>{t('humanCheck.failed')}</p>
          <Button size="small" icon={<Refresh />} text={t('state.retry')} onClick={again} />
        </Callout>
      ) : (
        <iframe key={`${attempt} ${address}`} ref={frame} src={address} title={t('humanCheck.title')} />
      )}
    </div>
  )
}

const frameMessage = z.object({
  from: z.literal('human-check'),
  token: z.optional(z.string()),
  problem: z.optional(z.boolean()),
})

/** Listens to messages of this iframe only. */
function useFrameMessage(
  frame: Readonly<{ current: HTMLIFrameElement | null }>,
  onMessage: (message: z.output<typeof frameMessage>) => void,
): void {
  const latest = useRef(onMessage)
  useLayoutEffect(() => {
    latest.current = onMessage
  })
  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent) => {
      const message = frameMessage.safeParse(data)
      if (origin === location.origin && source === frame.current?.contentWindow && message.success)
        latest.current(message.data)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [frame])
}
