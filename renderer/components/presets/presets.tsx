import './presets.css'
import { Button } from '@blueprintjs/core'

type Preset<T> = Readonly<{ text: string; value: () => T }>

type PresetsProps<T> = Readonly<{
  label: string
  presets: readonly Preset<T>[]
  onChoose: (value: T) => void
  isDisabled?: boolean
}>

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
