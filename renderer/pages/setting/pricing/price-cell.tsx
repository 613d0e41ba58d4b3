import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, memo, useId } from 'react'
import { useTranslation } from '../../../translation.ts'
import type { PriceMap } from './price-table.ts'

type PriceCellProps = Readonly<{
  model: string
  map: PriceMap
  /** Which number of which model, for screen readers. */
  label: string
  text: string
  placeholder?: string
  isDisabled: boolean
  isWrong: boolean
  onText: (model: string, map: PriceMap, text: string) => void
}>

/** A number edited in its row; the arrow keys move to the same number in the rows above and below. */
export const PriceCell = memo(function PriceCell({ model, map, text, isDisabled, isWrong, ...props }: PriceCellProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <InputGroup
        className="price-cell"
        size="small"
        inputMode="decimal"
        autoComplete="off"
        aria-label={props.label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        intent={isWrong ? 'danger' : 'none'}
        data-map={map}
        placeholder={props.placeholder ?? ''}
        disabled={isDisabled}
        value={text}
        onValueChange={(typed) => props.onText(model, map, typed)}
        onKeyDown={moveByArrows}
      />
      {isWrong && (
        <div id={id} className="price-cell-problem">
          {t('option.bad_number')}
        </div>
      )}
    </>
  )
})

function moveByArrows(event: KeyboardEvent<HTMLInputElement>): void {
  const { key, currentTarget } = event
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return
  const list = currentTarget.closest('table, ul')
  const same = [
    ...(list?.querySelectorAll<HTMLInputElement>(`input[data-map="${currentTarget.dataset.map}"]:enabled`) ?? []),
  ]
  const next = same[same.indexOf(currentTarget) + (key === 'ArrowUp' ? -1 : 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.select()
}
