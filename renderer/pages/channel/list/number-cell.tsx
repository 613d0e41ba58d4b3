import './number-cell.css'
import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, useState } from 'react'

type NumberCellProps = Readonly<{
  /** Which number of which channel, for screen readers. */
  label: string
  /** Undefined if the channels of a tag differ. */
  value: number | undefined
  min: number
  /** `takeBack` restores the displayed value if the number was not saved. */
  onSave: (value: number, takeBack: () => void) => void
}>

/** A whole number edited in its row: blur or Enter saves, Escape reverts (docs/reference/screens.md#channels). */
export function NumberCell({ label, value, min, onSave }: NumberCellProps) {
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  const [known, setKnown] = useState(shown)
  if (known !== shown) {
    setKnown(shown)
    setTyped(shown)
  }
  const leave = () => {
    const number = parseWhole(typed, min)
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
 * Parses a whole number, clamped to the range from `min` to `MAX`; undefined if invalid
 * (docs/reference/screens.md#channels).
 */
function parseWhole(text: string, min: number): number | undefined {
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number)) return undefined
  return Math.min(Math.max(number, min), MAX)
}

/** Maximum of a number, as in shared/api/channel.ts. */
const MAX = 1_000_000_000
