import { Callout, Classes } from '@blueprintjs/core'
import type { PasskeyTrouble } from './use-passkey-step.ts'

/** Why a passkey did not do: nothing loud where somebody has only changed their mind. */
export function PasskeyNote({ trouble }: Readonly<{ trouble: PasskeyTrouble | undefined }>) {
  if (!trouble) return null
  if (trouble.isQuiet)
    return (
      <p role="status" className={`passkey-quiet ${Classes.TEXT_MUTED}`}>
        {trouble.text}
      </p>
    )
  return (
    <Callout compact intent="danger" role="alert">
      {trouble.text}
    </Callout>
  )
}
