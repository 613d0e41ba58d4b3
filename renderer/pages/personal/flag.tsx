import { Classes, Switch } from '@blueprintjs/core'
import { useId } from 'react'

type FlagProps = Readonly<{ label: string; hint: string; isOn: boolean; onTurn: (isOn: boolean) => void }>

/** A switch, with what it does. */
export function Flag({ label, hint, isOn, onTurn }: FlagProps) {
  const id = useId()
  return (
    <div className={`personal-flag ${Classes.FORM_GROUP}`}>
      <Switch
        label={label}
        checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
        aria-describedby={id}
      />
      <div id={id} className={Classes.FORM_HELPER_TEXT}>
        {hint}
      </div>
    </div>
  )
}
