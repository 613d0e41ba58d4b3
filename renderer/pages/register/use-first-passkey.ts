import { useRef, useState } from 'react'
import type { NewPasskey } from '../../../shared/api/passkey.ts'
import { registration } from '../../../shared/api/registration.ts'
import { send } from '../../api/client.ts'
import { useDeviceName } from '../../components/device-name/use-device-name.ts'
import { makePasskey } from '../../components/passkeys/browser-passkeys.ts'
import { type PasskeyTrouble, usePasskeyStep } from '../../components/passkeys/use-passkey-step.ts'

/** Registration with a passkey: whether it was chosen, and how to create it. */
type FirstPasskey = Readonly<{
  isChosen: boolean
  choose: (isChosen: boolean) => void
  trouble: PasskeyTrouble | undefined
  /**
   * Creates the passkey for an account of this name; undefined on failure, which is shown. Throws the gateway's
   * refusals.
   */
  make: (username: string) => Promise<NewPasskey | undefined>
  /** Discards a passkey that the gateway refused; the next attempt creates a new one. */
  drop: () => void
}>

/**
 * A passkey that was created but not yet used, for example because a code was wrong, is reused for the same account.
 */
export function useFirstPasskey(invitation: string): FirstPasskey {
  const [isChosen, setChosen] = useState(false)
  const { trouble, run } = usePasskeyStep()
  const deviceName = useDeviceName()
  const stored = useRef<Readonly<{ username: string; passkey: NewPasskey }>>(undefined)
  return {
    isChosen,
    choose: setChosen,
    trouble,
    async make(username) {
      if (stored.current?.username === username) return stored.current.passkey
      const options = await send(registration.passkey, { body: { username, invitation } }, { quiet: true })
      const passkey = await run(() => makePasskey(options, deviceName(navigator.userAgent)))
      stored.current = passkey && { username, passkey }
      return passkey
    },
    drop() {
      stored.current = undefined
    },
  }
}
