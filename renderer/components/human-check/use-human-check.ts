import { useState } from 'react'
import { useStatus } from '../../api/status.ts'

/** The human check of a form; where the gateway asks for none it never waits and adds nothing. */
export type HumanCheckState = Readonly<{
  siteKey: string
  isOn: boolean
  /** No token has come yet. */
  isWaiting: boolean
  /** What the next call takes along. */
  query: Readonly<{ turnstile?: string }>
  /** Which showing of the widget this is. */
  round: number
  setToken: (token: string | undefined) => void
  /** A token counts once: after a call the widget is shown again. */
  renew: () => void
}>

/** Keeps the token of a form's human check (docs/reference/accounts.md#human-check). */
export function useHumanCheck(): HumanCheckState {
  const { turnstile_check: isOn, turnstile_site_key: siteKey } = useStatus()
  const [round, setRound] = useState(1)
  const [token, setToken] = useState<string>()
  const renew = () => {
    setToken(undefined)
    setRound((before) => before + 1)
  }
  const query = isOn && token ? { turnstile: token } : {}
  return { siteKey, isOn, isWaiting: isOn && !token, query, round, setToken, renew }
}
