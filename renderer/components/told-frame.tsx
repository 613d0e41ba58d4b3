import { type ComponentProps, useCallback, useEffect, useRef } from 'react'
import { useTheme } from '../theme.ts'
import { useTranslation } from '../translation.ts'

type ToldFrameProps = Readonly<
  Pick<ComponentProps<'iframe'>, 'title' | 'className' | 'allow'> & {
    address: string
    /** What the page in it may do, in the words of the attribute. */
    sandbox: string
    /** The origin that is told; `*` for a page that its sandbox leaves none. */
    origin: string
  }
>

/** A page of somebody else's, which is told the theme and the language, so that it may look alike; nothing is said of where it was opened. */
export function ToldFrame({ address, origin, ...attributes }: ToldFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hasLoaded = useRef(false)
  const { isDark } = useTheme()
  const { language: lang } = useTranslation()
  const postTheme = useCallback(() => {
    // Until a page is there, nobody of that origin would hear.
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
