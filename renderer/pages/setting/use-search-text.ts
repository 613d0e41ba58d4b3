import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { tabIn } from './tab.ts'

/**
 * What is looked for, kept in `q` of the address beside the tab. The field has what is typed at once; the address follows, and
 * where it changes by itself, such as by a link or the way back, the field follows it.
 */
export function useSearchText(): [string, (text: string) => void] {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('q') ?? ''
  const [typed, setTyped] = useState(wanted)
  /** What was written to the address and has not come back yet. */
  const written = useRef<string[]>([])
  const { key: visit } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: two writings may come back as one, which changes the address alone
  useEffect(() => {
    const place = written.current.lastIndexOf(wanted)
    if (place >= 0) written.current.splice(0, place + 1)
    else setTyped(wanted)
  }, [wanted, visit])
  const type = (text: string) => {
    setTyped(text)
    if (text === wanted && written.current.length === 0) return
    written.current.push(text)
    setQuery({ tab: tabIn(query), ...(text !== '' && { q: text }) }, { replace: true })
  }
  return [typed, type]
}
