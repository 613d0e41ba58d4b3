import { type ComponentProps, useCallback, useEffect, useRef } from 'react'
import { useTheme } from '../theme.ts'
import { useTranslation } from '../translation.ts'

type MessageFrameProps = Readonly<
  Pick<ComponentProps<'iframe'>, 'title' | 'className' | 'allow'> & {
    address: string
    sandbox: string
    /** The target origin of the messages; `*` for a page whose sandbox gives it an opaque origin. */
    origin: string
  }
>

/**
 * An embedded external page that receives the theme and language by message, so that it can match; it receives no
 * referrer.
 */
export function MessageFrame({ address, origin, ...attributes }: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hasLoaded = useRef(false)
  const { isDark } = useTheme()
  const { language: lang } = useTranslation()
  const postTheme = useCallback(() => {
    // Before the page has loaded, no document of that origin could receive it.
    if (!hasLoaded.current) return
    const target = frame.current?.contentWindow
    target?.postMessage({ themeMode: isDark ? 'dark' : 'light' }, origin)
    target?.postMessage({ lang }, origin)
  }, [isDark, lang, origin])
  useEffect(postTheme, [postTheme])
  const onLoad = () => {
    hasLoaded.current = true
    postTheme()
  }
  return <iframe {...attributes} ref={frame} src={address} referrerPolicy="no-referrer" onLoad={onLoad} />
}
