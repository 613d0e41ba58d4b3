import { useRef, useState } from 'react'
import type { NewPasskey } from '../../../shared/api/passkey.ts'
import { registration } from '../../../shared/api/registration.ts'
import { send } from '../../api/client.ts'
import { useDeviceName } from '../../components/device-name/use-device-name.ts'
import { makePasskey } from '../../components/passkeys/browser-passkeys.ts'
import { type PasskeyTrouble, usePasskeyStep } from '../../components/passkeys/use-passkey-step.ts'

/** Registering by a passkey: whether that was chosen, and how it is made. */
export type FirstPasskey = Readonly<{
  isChosen: boolean
  choose: (isChosen: boolean) => void
  trouble: PasskeyTrouble | undefined
  /** The passkey for an account of this name; undefined where there is none, which is told. Throws what the gateway refuses. */
  make: (username: string) => Promise<NewPasskey | undefined>
  /** The gateway would not take it: the next one is made again. */
  drop: () => void
}>

/** One that was made and not yet used, as where a code was wrong, is kept for the account it is for. */
export function useFirstPasskey(invitation: string): FirstPasskey {
  const [isChosen, setChosen] = useState(false)
  const { trouble, run } = usePasskeyStep()
  const deviceName = useDeviceName()
  const kept = useRef<Readonly<{ username: string; passkey: NewPasskey }>>(undefined)
  return {
    isChosen,
    choose: setChosen,
    trouble,
    async make(username) {
      if (kept.current?.username === username) return kept.current.passkey
      const options = await send(registration.passkey, { body: { username, invitation } }, { quiet: true })
      const passkey = await run(() => makePasskey(options, deviceName(navigator.userAgent)))
      kept.current = passkey && { username, passkey }
      return passkey
    },
    drop() {
      kept.current = undefined
    },
  }
}
