import { useState } from 'react'
import { useStatus } from '../../api/status.ts'

/** The human check of a form; if the gateway has none, it never waits and adds nothing. */
export type HumanCheckState = Readonly<{
  siteKey: string
  isOn: boolean
  isWaiting: boolean
  query: Readonly<{ turnstile?: string }>
  /** Counts how often the widget was shown. */
  round: number
  setToken: (token: string | undefined) => void
  /** Shows the widget again after a call, because a token is single-use. */
  renew: () => void
}>

/** Manages the token of a form's human check (docs/reference/accounts.md#human-verification). */
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
