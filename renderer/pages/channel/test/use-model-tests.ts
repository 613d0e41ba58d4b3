import { useEffect, useRef, useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { useTest } from './use-test.ts'

/** What came of testing one model; absent is untested. */
export type Verdict = Readonly<
  { state: 'waiting' } | { state: 'ok'; seconds: number } | { state: 'failed'; why: string }
>

/** The verdicts so far, and what starts and stops tests. */
export type ModelTests = Readonly<{
  verdicts: ReadonlyMap<string, Verdict>
  isRunning: boolean
  /** Tests these models one after the other. */
  run: (models: readonly string[]) => void
  /** Leaves the running test and those behind it. */
  stop: () => void
}>

/** Tests models of one channel; closing the dialog stops what is under way. */
export function useModelTests(channel: ChannelView): ModelTests {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map())
  const [isRunning, setRunning] = useState(false)
  const { mutateAsync } = useTest({ quiet: true })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const judge = (model: string, verdict: Verdict | undefined) =>
    setVerdicts((before) => {
      const after = new Map(before)
      if (verdict) after.set(model, verdict)
      else after.delete(model)
      return after
    })
  const one = async (model: string, signal: AbortSignal) => {
    judge(model, { state: 'waiting' })
    try {
      judge(model, { state: 'ok', seconds: await mutateAsync({ channel, model, signal }) })
    } catch (error) {
      judge(model, signal.aborted ? undefined : { state: 'failed', why: error instanceof Error ? error.message : '' })
    }
  }
  const all = async (models: readonly string[]) => {
    const controller = new AbortController()
    running.current = controller
    setRunning(true)
    for (const model of models) if (!controller.signal.aborted) await one(model, controller.signal)
    setRunning(false)
  }
  return { verdicts, isRunning, run: (models) => void all(models), stop: () => running.current?.abort() }
}
