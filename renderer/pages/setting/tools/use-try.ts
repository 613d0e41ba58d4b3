import { useState } from 'react'
import { CallFailure } from '../../../api/call-failure.ts'
import type { ToolResult } from './tool-outcome.tsx'

/** Runs a test and stores its result; failures show the gateway's message. */
export function useTry() {
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<ToolResult>()
  const run = async (attempt: () => Promise<string>) => {
    setBusy(true)
    setResult(undefined)
    try {
      setResult({ isFine: true, text: await attempt() })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setResult({ isFine: false, text: error.message })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, result, run, report: setResult }
}
