import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelRuns } from '../../../../shared/api/channel-runs.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts } from '../../../components/toasts.ts'
import type { Depth, Outcome } from './outcome.ts'
import { testOnce } from './use-test.ts'

export type ModelTests = Readonly<{
  outcomes: ReadonlyMap<string, Outcome>
  series: readonly string[]
  isRunning: boolean
  run: (models: readonly string[], depth: Depth) => void
  stop: () => void
}>

/** Tests models of one channel; closing the dialog aborts running tests. Refreshes the channel list after a series. */
export function useModelTests(channel: ChannelView): ModelTests {
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [series, setSeries] = useState<readonly string[]>([])
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const record = (models: readonly string[], outcome: Outcome | undefined) =>
    setOutcomes((before) => withOutcome(before, models, outcome))
  const all = async (models: readonly string[], depth: Depth) => {
    const controller = new AbortController()
    running.current = controller
    clearToasts()
    setSeries(models)
    record(models, undefined)
    setRunning(true)
    await inParallel(models, controller.signal, async (model) => {
      record([model], { state: 'waiting' })
      record([model], await outcomeOf(channel, model, depth, controller.signal))
    })
    setRunning(false)
    await queries.invalidateQueries({ queryKey: [areaOf(calls.list)] })
  }
  const run: ModelTests['run'] = (models, depth) => void all(models, depth)
  return { outcomes, series, isRunning, run, stop: () => running.current?.abort() }
}

/**
 * Models tested in parallel: as many as the gateway tests at once in a test of all channels
 * (docs/reference/channels.md#test-of-all).
 */
const atOnce = 4

/** Works through the models, a few at a time, until the signal is aborted. */
async function inParallel(
  models: readonly string[],
  signal: AbortSignal,
  work: (model: string) => Promise<void>,
): Promise<void> {
  const queue = models.values()
  const worker = async () => {
    for (const model of queue) if (!signal.aborted) await work(model)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Tests one model; undefined if the test was aborted, so that the model stays untested. */
async function outcomeOf(
  channel: ChannelView,
  model: string,
  depth: Depth,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const manner = { quiet: true, signal }
  try {
    if (depth === 'plain') return { state: 'ok', seconds: await testOnce(channel, model, manner) }
    const input = { params: { id: channel.id }, body: { model } }
    return { state: 'done', found: await send(channelRuns.deepTest, input, manner) }
  } catch (error) {
    return signal.aborted ? undefined : { state: 'failed', why: error instanceof Error ? error.message : '' }
  }
}

function withOutcome(
  before: ReadonlyMap<string, Outcome>,
  models: readonly string[],
  outcome: Outcome | undefined,
): ReadonlyMap<string, Outcome> {
  const after = new Map(before)
  for (const model of models) {
    if (outcome) after.set(model, outcome)
    else after.delete(model)
  }
  return after
}
