import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { NoPasskey } from './browser-passkeys.ts'

export type PasskeyTrouble = Readonly<{ text: string; isQuiet: boolean }>

type PasskeyStep = Readonly<{
  isBusy: boolean
  trouble: PasskeyTrouble | undefined
  /** Returns the step's result, or undefined if it failed, which is shown. */
  run: <Result>(step: () => Promise<Result>) => Promise<Result | undefined>
}>

/** Runs a passkey step; its failure is returned to be shown inline, not in a toast. */
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
