import { Classes, Switch } from '@blueprintjs/core'
import { useId } from 'react'
import { useDescription } from '../../../components/form/description.ts'

type FlagFieldProps = Readonly<{
  label: string
  option: string
  /** 'true' or 'false'. */
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
  isDisabled: boolean
}>

/** A switch, with what it does or why it could not be turned. */
export function FlagField({ label, option, value, onValue, error, hint, isDisabled }: FlagFieldProps) {
  const id = useId()
  const note = error ?? hint
  const description = useDescription(note && `${id}-note`)
  return (
    <div className={`setting-flag ${error === undefined ? '' : Classes.INTENT_DANGER} ${Classes.FORM_GROUP}`}>
      <Switch
        name={option}
        label={label}
        checked={value === 'true'}
        disabled={isDisabled}
        onChange={(event) => onValue(String(event.currentTarget.checked))}
        aria-invalid={error !== undefined}
        aria-describedby={description}
      />
      {note && (
        <div id={`${id}-note`} className={Classes.FORM_HELPER_TEXT}>
          {note}
        </div>
      )}
    </div>
  )
}
