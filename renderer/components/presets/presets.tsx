import './presets.css'
import { Button } from '@blueprintjs/core'

/** One value that people often want, and the text on its button. */
type Preset<T> = Readonly<{ text: string; value: () => T }>

type PresetsProps<T> = Readonly<{
  /** Names the group for screen readers. */
  label: string
  presets: readonly Preset<T>[]
  onChoose: (value: T) => void
  isDisabled?: boolean
}>

/** A row of usual values under a field; a click fills the field. */
export function Presets<T>({ label, presets, onChoose, isDisabled = false }: PresetsProps<T>) {
  return (
    <fieldset className="presets" aria-label={label}>
      {presets.map(({ text, value }) => (
        <Button
          key={text}
          size="small"
          variant="outlined"
          text={text}
          disabled={isDisabled}
          onClick={() => onChoose(value())}
        />
      ))}
    </fieldset>
  )
}
