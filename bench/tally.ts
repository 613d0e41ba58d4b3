import { monotonicMs } from './monotonic.ts'
import { cpuMsOf, rssKbOf } from './process-cost.ts'

/**
 * Named results of one run: rates per second, times in ms, CPU in µs, memory in KiB; a figure that could not be
 * measured is absent.
 */
export type Figures = Record<string, number>

export type Tally = ReturnType<typeof createTally>

const emptyWindow = () => ({
  startMs: monotonicMs(),
  requests: 0,
  streams: 0,
  events: 0,
  lateSends: 0,
  latencies: [] as number[],
  firstEvents: [] as number[],
  delays: [] as number[],
})

/**
 * Counts one run. Responses and faults count from the first request on, everything else only within the measured
 * window.
 */
export function createTally(pid: number | undefined) {
  let cpuAtStart: number | undefined
  let rssBeforeKb: number | undefined
  let rssPeakKb: number | undefined
  let figures: Figures = {}
  let wasMentioned = false
  const sampler = setInterval(() => {
    const now = pid === undefined ? undefined : rssKbOf(pid)
    if (now !== undefined) rssPeakKb = Math.max(now, rssPeakKb ?? 0)
  }, 100)

  return {
    /** The measured window; warm-up is counted into a window that is discarded. */
    window: emptyWindow(),
    /** 2xx responses that the gateway must have billed. */
    answers: 0,
    errors: 0,
    /** 2xx responses that were cut off, or streams with too few events or no end mark. */
    incomplete: 0,
    /** Streams between their first event and their end. */
    open: 0,
    mostOpen: 0,
    /** Prints only the first fault; the counts show how many there were. */
    mention(fault: string) {
      if (!wasMentioned) process.stderr.write(`${fault}\n`)
      wasMentioned = true
    },
    /** Starts the measured window, and with it CPU and peak memory. */
    beginWindow() {
      this.window = emptyWindow()
      cpuAtStart = pid === undefined ? undefined : cpuMsOf(pid)
      rssBeforeKb = pid === undefined ? undefined : rssKbOf(pid)
      rssPeakKb = rssBeforeKb
    },
    /** Ends the measured window; later results are counted, not measured. */
    endWindow() {
      const cpuMs =
        pid === undefined || cpuAtStart === undefined ? undefined : (cpuMsOf(pid) ?? Number.NaN) - cpuAtStart
      figures = known({ ...summaryOf(this.window, cpuMs), rssBeforeKb, rssPeakKb })
      this.window = emptyWindow()
    },
    /** The figures of the window and the counts of the whole run. */
    close(): Figures {
      clearInterval(sampler)
      const { answers, errors, incomplete, mostOpen } = this
      const { rssBeforeKb = Number.NaN, rssPeakKb = Number.NaN } = figures
      const kbPerStream = mostOpen > 0 ? (rssPeakKb - rssBeforeKb) / mostOpen : undefined
      return known({ ...figures, rssPeakMb: rssPeakKb / 1024, kbPerStream, answers, errors, incomplete, mostOpen })
    },
  }
}

/** Rates and quantiles of a window; a cost per event is absent when the event never happened. */
function summaryOf(window: ReturnType<typeof emptyWindow>, cpuMs: number | undefined) {
  const seconds = (monotonicMs() - window.startMs) / 1000
  const costOf = (count: number) => (cpuMs === undefined || count === 0 ? undefined : (cpuMs * 1000) / count)
  return {
    rps: window.requests / seconds,
    streamsPerSecond: window.streams / seconds,
    eventsPerSecond: window.events / seconds,
    cpuPerRequest: costOf(window.requests),
    cpuPerEvent: costOf(window.events),
    p50: quantile(window.latencies, 0.5),
    p99: quantile(window.latencies, 0.99),
    ttftP50: quantile(window.firstEvents, 0.5),
    ttftP99: quantile(window.firstEvents, 0.99),
    delayP50: quantile(window.delays, 0.5),
    delayP99: quantile(window.delays, 0.99),
    lateSends: window.lateSends,
  }
}

/** The sorted value at the index `length * share`, rounded down; undefined without values. */
function quantile(values: number[], share: number): number | undefined {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

const known = (figures: Record<string, number | undefined>): Figures =>
  Object.fromEntries(Object.entries(figures).filter((entry): entry is [string, number] => Number.isFinite(entry[1])))
