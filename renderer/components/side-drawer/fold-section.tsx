import './section.css'
import { Tag } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../translation.ts'

type FoldSectionProps = Readonly<{
  title: string
  isOpenAtFirst?: boolean
  /** Number of fields that differ from their defaults; shown in the header. */
  changed?: number
  /** A field is invalid: the header shows it, and the section opens. */
  hasProblem?: boolean
  children: ReactNode
}>

export function FoldSection({
  title,
  isOpenAtFirst = false,
  changed = 0,
  hasProblem = false,
  children,
}: FoldSectionProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [known, setKnown] = useState(hasProblem)
  if (known !== hasProblem) {
    setKnown(hasProblem)
    if (hasProblem) setOpen(true)
  }
  const Arrow = isOpen ? ChevronDown : ChevronRight
  return (
    <fieldset className="section">
      <legend>
        <button
          type="button"
          className="section-head"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Arrow />
          {title}
          {hasProblem && (
            <Tag minimal intent="danger">
              {t('drawer.problem')}
            </Tag>
          )}
          {!hasProblem && changed > 0 && <Tag minimal>{t('drawer.changed', { n: changed })}</Tag>}
        </button>
      </legend>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </fieldset>
  )
}
