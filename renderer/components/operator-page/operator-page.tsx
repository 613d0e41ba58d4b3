import './operator-page.css'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isWebLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'
import { useTheme } from '../../theme.ts'
import OperatorText from '../operator-text/operator-text.tsx'

/** A page of the operator's own: Markdown, HTML, or a page elsewhere in a frame. Load it lazily. */
export default function OperatorPage({ text }: { text: string }) {
  return text.startsWith('https://') && isWebLink(text) ? (
    <Frame address={text} />
  ) : (
    <section className="operator-page">
      <OperatorText text={text} />
    </section>
  )
}

/**
 * A page elsewhere. It cannot act as one of this origin, whatever its address, and is told the theme and the language, so
 * that it may look alike.
 */
function Frame({ address }: { address: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { system_name: name } = useStatus()
  const { isDark } = useTheme()
  const { i18n } = useTranslation()
  const lang = i18n.language
  const tell = useCallback(() => {
    const target = frame.current?.contentWindow
    // A sandboxed page has no origin that could be named; what it is told is no secret.
    target?.postMessage({ themeMode: isDark ? 'dark' : 'light' }, '*')
    target?.postMessage({ lang }, '*')
  }, [isDark, lang])
  useEffect(tell, [tell])
  return (
    <iframe
      ref={frame}
      className="operator-frame"
      title={name}
      src={address}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={tell}
    />
  )
}
