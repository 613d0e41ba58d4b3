import type { Run, RunItem } from '../../../shared/api/channel-runs.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'

export type RunKind = Run['kind']

/** Background work over many channels, one run of each kind at a time. In memory only. */
export interface Runs {
  /** Starts a run; throws if one of the same kind is running. */
  begin<T>(kind: RunKind, plan: RunPlan<T>): void
  isRunning(kind: RunKind): boolean
  /** Cancels the run of this kind, if any: no new item starts, running items finish. */
  cancel(kind: RunKind): void
  /** The last run of each kind in its current state, newest first. */
  list(): Run[]
  idle(kind: RunKind): Promise<void>
  stop(): Promise<void>
}

/**
 * The plan of a run. `work` never throws, and returns undefined for a target that needs no work by now. `done` is
 * called with the run when it ends, for whatever reason.
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
  /** Seconds between the starts of two items (POLLING_INTERVAL). */
  pauseSeconds?: number
  /** Waits the given milliseconds, or until the signal aborts; replaced in tests. */
  pause?: Pause
}>
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const MS = 1000
const alreadyRunning = { test: 'channel.test_running', balance: 'channel.balance_running' } as const

type ActiveRun = { run: Writable; ending: AbortController; over: Promise<void> }
type Writable = { -readonly [K in keyof Run]: Run[K] }

export function createRuns(deps: RunsDeps): Runs {
  const last = new Map<RunKind, ActiveRun>()
  const isRunning = (kind: RunKind) => last.get(kind)?.run.ended_at === 0
  const cancel = (kind: RunKind) => {
    const current = last.get(kind)
    if (current?.run.state !== 'running') return
    current.run.state = 'cancelling'
    current.ending.abort()
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
      last.set(kind, { run, ending, over: execute(deps, run, plan, ending.signal) })
    },
    list: () => [...last.values()].reverse().map(({ run }) => ({ ...run, items: [...run.items] })),
    idle: async (kind) => last.get(kind)?.over,
    async stop() {
      for (const kind of last.keys()) cancel(kind)
      await Promise.all([...last.values()].map(({ over }) => over))
    },
  }
}

async function execute<T>(deps: RunsDeps, run: Writable, plan: RunPlan<T>, signal: AbortSignal): Promise<void> {
  const { clock, log, pauseSeconds = 0, pause = wait } = deps
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

const wait: Pause = (ms, signal) =>
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

type Turns = Readonly<{
  width: number
  /** Awaited before every item except the first. */
  between: () => Promise<void>
  /** Called before each item; once it returns true, no new item starts. */
  isOver: () => boolean
}>

/** Runs `work` over the items in order, and resolves when all started ones have ended; `work` handles failures. */
export async function inTurns<T>(
  items: readonly T[],
  { width, between, isOver }: Turns,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  for (const [index, item] of items.entries()) {
    if (index > 0 && !isOver()) await between()
    while (running.size >= width && !isOver()) await Promise.race(running)
    if (isOver()) break
    const one = work(item).finally(() => running.delete(one))
    running.add(one)
  }
  await Promise.all(running)
}
