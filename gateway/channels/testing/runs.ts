import type { Run, RunItem } from '../../../shared/api/channel-runs.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'

export type RunKind = Run['kind']

/** Work over many channels that goes on in the background, one of each kind at a time. In memory only. */
export interface Runs {
  /** Starts a run; refuses while one of the same kind is on its way. */
  begin<T>(kind: RunKind, plan: RunPlan<T>): void
  isRunning(kind: RunKind): boolean
  /** Nothing new begins in the run of this kind, if there is one; what is on its way ends. */
  cancel(kind: RunKind): void
  /** The last run of each kind as it is now, the newest first. */
  list(): Run[]
  /** Resolves when no run of this kind is on its way. */
  idle(kind: RunKind): Promise<void>
  /** Cancels all runs and waits for them. */
  stop(): Promise<void>
}

/**
 * What a run does. `work` never throws, and answers nothing for what was not to be done after all. `done` is
 * called with the run at its end, however it ended.
 */
type RunPlan<T> = Readonly<{
  width: number
  targets: () => Promise<readonly T[]>
  work: (target: T) => Promise<RunItem | undefined>
  done?: (run: Run) => void
}>

type RunsDeps = Readonly<{
  clock: Clock
  log: Logger
  /** Seconds between the beginnings of two items (POLLING_INTERVAL). */
  pauseSeconds?: number
  /** Waits, in milliseconds, or until the signal is given; the machine's timer unless told otherwise. */
  pause?: Pause
}>
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const MS = 1000
const alreadyRunning = { test: 'channel.test_running', balance: 'channel.balance_running' } as const

/** A run and what ends it. */
type Going = { run: Writable; ending: AbortController; over: Promise<void> }
type Writable = { -readonly [K in keyof Run]: Run[K] }

/** No run at first. */
export function createRuns(deps: RunsDeps): Runs {
  const last = new Map<RunKind, Going>()
  const isRunning = (kind: RunKind) => last.get(kind)?.run.ended_at === 0
  const cancel = (kind: RunKind) => {
    const going = last.get(kind)
    if (going?.run.state !== 'running') return
    going.run.state = 'cancelling'
    going.ending.abort()
  }
  return {
    isRunning,
    cancel,
    begin(kind, plan) {
      if (isRunning(kind)) throw refuse('invalid', alreadyRunning[kind])
      const run: Writable = {
        kind,
        state: 'running',
        total: 0,
        started_at: unixSeconds(deps.clock),
        ended_at: 0,
        items: [],
      }
      const ending = new AbortController()
      last.delete(kind)
      last.set(kind, { run, ending, over: carriedOut(deps, run, plan, ending.signal) })
    },
    list: () => [...last.values()].reverse().map(({ run }) => ({ ...run, items: [...run.items] })),
    idle: async (kind) => last.get(kind)?.over,
    async stop() {
      for (const kind of last.keys()) cancel(kind)
      await Promise.all([...last.values()].map(({ over }) => over))
    },
  }
}

async function carriedOut<T>(deps: RunsDeps, run: Writable, plan: RunPlan<T>, signal: AbortSignal): Promise<void> {
  const { clock, log, pauseSeconds = 0, pause = waited } = deps
  const between = async () => {
    if (pauseSeconds > 0) await pause(pauseSeconds * MS, signal)
  }
  try {
    const targets = await plan.targets()
    run.total = targets.length
    await inTurns(targets, { width: plan.width, between, isOver: () => signal.aborted }, async (target) => {
      const item = await plan.work(target)
      if (item) run.items.push(item)
      else run.total -= 1
    })
    run.state = signal.aborted ? 'cancelled' : 'done'
  } catch (error) {
    run.state = 'failed'
    log.error('run over all channels failed', { kind: run.kind, error })
  } finally {
    run.ended_at = Math.max(1, unixSeconds(clock))
    plan.done?.({ ...run, items: [...run.items] })
  }
}

const waited: Pause = (ms, signal) =>
  new Promise((resolve) => {
    const leave = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const timer = setTimeout(leave, ms)
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
  })

/** How many at once, and what comes between two beginnings. */
export type Turns = Readonly<{
  width: number
  /** Waited for before every item but the first. */
  between: () => Promise<void>
  /** Asked before each item: once it says so nothing new begins. */
  isOver: () => boolean
}>

/** Runs `work` over the items in their order, and resolves when all that began has ended; failures are left to `work`. */
export async function inTurns<T>(
  items: readonly T[],
  { width, between, isOver }: Turns,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const going = new Set<Promise<void>>()
  for (const [index, item] of items.entries()) {
    if (index > 0 && !isOver()) await between()
    while (going.size >= width && !isOver()) await Promise.race(going)
    if (isOver()) break
    const one = work(item).finally(() => going.delete(one))
    going.add(one)
  }
  await Promise.all(going)
}
