import './filter-bar.css'
import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Filter } from '@blueprintjs/icons'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { submitByKeys } from '../form/submit-by-keys.ts'
import { useNarrow } from '../use-narrow.ts'

type FilterBarProps = Readonly<{
  onQuery: () => void
  /** The fields apply at once, without a button. */
  isInstant?: boolean
  /** Shown at the end of the bar, also on a phone: switches, column settings. */
  more?: ReactNode
  children: ReactNode
}>

/** The filter bar of a list; on a phone the fields are behind a button. */
export function FilterBar({ onQuery, isInstant = false, more, children }: FilterBarProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onQuery()
  }
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
        onSubmit={submit}
        onKeyDown={submitByKeys}
      >
        {children}
        {!isInstant && <Button type="submit" text={t('label.query')} />}
      </form>
      {more && <div className="filter-bar-more">{more}</div>}
    </search>
  )
}
