import type { Logger } from './logger.ts'

/** A repeating background job: never two runs at once, a failure is logged and the next turn comes, `stop` waits for a run. */
export interface IntervalJob {
  stop(): Promise<void>
}

/** Runs `work` every `everyMs`, the first time after one interval; the timer does not keep the process alive. */
export function intervalJob(name: string, everyMs: number, work: () => Promise<void> | void, log: Logger): IntervalJob {
  let running: Promise<void> | undefined
  const turn = async () => {
    try {
      await work()
    } catch (error) {
      log.error('background job failed', { job: name, error })
    } finally {
      running = undefined
    }
  }
  const timer = setInterval(() => {
    running ??= turn()
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
