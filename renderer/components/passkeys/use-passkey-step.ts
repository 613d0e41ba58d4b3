import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { NoPasskey } from './browser-passkeys.ts'

/** Why a passkey did not do; quiet where nothing has failed. */
export type PasskeyTrouble = Readonly<{ text: string; isQuiet: boolean }>

/** Something that is done with a passkey: whether it is under way, and what came in its way. */
type PasskeyStep = Readonly<{
  isBusy: boolean
  trouble: PasskeyTrouble | undefined
  /** Answers what the step does; undefined where it has failed, which is told. */
  run: <Result>(step: () => Promise<Result>) => Promise<Result | undefined>
}>

/** One step at a time; what the browser or the gateway refuses is told beside it, not in a toast. */
export function usePasskeyStep(): PasskeyStep {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<PasskeyTrouble>()
  const run: PasskeyStep['run'] = async (step) => {
    setTrouble(undefined)
    setBusy(true)
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const isOwn = error instanceof NoPasskey
      setTrouble({ text: isOwn ? t(error.key) : error.message, isQuiet: isOwn && error.isQuiet })
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, trouble, run }
}
