import { Callout, Classes } from '@blueprintjs/core'
import type { PasskeyTrouble } from './use-passkey-step.ts'

/** Why a passkey failed; shown less prominently if the user cancelled. */
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
