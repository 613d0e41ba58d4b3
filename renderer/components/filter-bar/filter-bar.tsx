import './filter-bar.css'
import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Filter } from '@blueprintjs/icons'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useLatest } from '../use-latest.ts'
import { useNarrow } from '../use-narrow.ts'

type FilterBarProps = Readonly<{
  /** Applies the values of the fields. */
  onQuery: () => void
  /** Shown at the end of the bar, also on a phone: switches, column settings. */
  more?: ReactNode
  children: ReactNode
}>

/** Pause in typing after which a text applies. */
const TYPING_MS = 400

/**
 * The filter bar of a list; on a phone the fields are behind a button. A choice applies at once, as does a press of a
 * button with `data-applies`; a text after a pause, or on Enter.
 */
export function FilterBar({ onQuery, more, children }: FilterBarProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const apply = useApply(onQuery)
  return (
    <search className="filter-bar">
      {isNarrow && (
        <Button
          icon={<Filter />}
          endIcon={isOpen ? <ChevronUp /> : <ChevronDown />}
          text={t('list.filters')}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      <form
        id={id}
        className="filter-bar-fields"
        hidden={isNarrow && !isOpen}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          apply(0)
        }}
        onChange={({ target }) => apply(target instanceof HTMLInputElement ? TYPING_MS : 0)}
        onClick={({ target }) => target instanceof Element && target.closest('[data-applies]') && apply(0)}
        onKeyDown={(event: KeyboardEvent) => {
          const isTyped = event.target instanceof HTMLInputElement && event.key === 'Enter'
          if (!isTyped || event.nativeEvent.isComposing) return
          event.preventDefault()
          apply(0)
        }}
      >
        {children}
      </form>
      {more && <div className="filter-bar-more">{more}</div>}
    </search>
  )
}

/** Calls `onQuery` after a delay, once for several calls within the delay, with the values at its end. */
function useApply(onQuery: () => void): (delayMs: number) => void {
  const latest = useLatest(onQuery)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (delayMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(), delayMs)
  }
}
