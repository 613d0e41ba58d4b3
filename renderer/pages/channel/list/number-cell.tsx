import './number-cell.css'
import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, useState } from 'react'

type NumberCellProps = Readonly<{
  /** What the number is and whose, for screen readers. */
  label: string
  /** Undefined where the channels of a tag do not agree. */
  value: number | undefined
  min: number
  /** `takeBack` shows the value again, for a number that has not been saved after all. */
  onSave: (value: number, takeBack: () => void) => void
}>

/**
 * A whole number changed in its row: leaving the field or Enter saves, Escape takes it back
 * (docs/reference/screens.md#channels).
 */
export function NumberCell({ label, value, min, onSave }: NumberCellProps) {
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  const [known, setKnown] = useState(shown)
  if (known !== shown) {
    setKnown(shown)
    setTyped(shown)
  }
  const leave = () => {
    const number = wholeOf(typed, min)
    setTyped(number === undefined ? shown : String(number))
    if (number !== undefined && number !== value) onSave(number, () => setTyped(shown))
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur()
    if (event.key === 'Escape') setTyped(shown)
  }
  return (
    <InputGroup
      className="number-cell"
      size="small"
      inputMode="numeric"
      placeholder={value === undefined ? '—' : ''}
      aria-label={label}
      value={typed}
      onValueChange={setTyped}
      onKeyDown={press}
      onBlur={leave}
    />
  )
}

/**
 * A whole number of at least `min`, which smaller ones become; undefined when the text is none
 * (docs/reference/screens.md#channels).
 */
function wholeOf(text: string, min: number): number | undefined {
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number)) return undefined
  return Math.min(Math.max(number, min), MAX)
}

/** As shared/api/channel.ts has it. */
const MAX = 1_000_000_000
