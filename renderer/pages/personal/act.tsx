import { Button, Classes, H3, type Intent } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type ActProps = Readonly<{
  title: string
  hint: string
  verb: string
  intent?: Intent
  isDisabled?: boolean
  onClick: () => void
  state?: ReactNode
  children?: ReactNode
}>

export function Act({ title, hint, verb, intent = 'none', isDisabled = false, onClick, state, children }: ActProps) {
  return (
    <div className="personal-act">
      <div>
        <div className="personal-act-title">
          <H3 className="personal-subheading">{title}</H3>
          {state}
        </div>
        <p className={Classes.TEXT_MUTED}>{hint}</p>
        {children}
      </div>
      <Button text={verb} intent={intent} variant="outlined" disabled={isDisabled} onClick={onClick} />
    </div>
  )
}
