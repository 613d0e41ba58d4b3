import { type Ask, prepareAsk } from './ask.ts'
import { closedLoop, holdOpen, openLoop } from './loops.ts'
import { createTally } from './tally.ts'

/** The shape of a load: how requests are spaced, which ones are sent in rotation, and for how long. */
export interface Load {
  mode: 'closed' | 'open' | 'hold'
  asks: Ask[]
  warmSeconds: number
  seconds: number
  /** Connections of a closed loop, or streams held open by `hold`. */
  connections?: number
  /** Requests per second of an open loop. */
  rate?: number
  /** Milliseconds over which the connections of a closed loop start. */
  spreadMs?: number
}

/** Arguments of the load generator: a load, the target and its key, and the process whose CPU and memory to read. */
export interface Job extends Load {
  url: string
  key: string
  pid?: number
}

/** The load generator runs in a separate process: its argument is a job as JSON, its output the figures as JSON. */
if (import.meta.main) process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}')))}\n`)

async function run(job: Job) {
  const { hostname: host, port } = new URL(job.url)
  const address = { host, port: Number(port) }
  const tally = createTally(job.pid)
  const longestSeconds = job.warmSeconds + job.seconds + 60
  const watchdog = setTimeout(() => {
    throw new Error('requests are still unanswered a minute after the load has ended')
  }, longestSeconds * 1000)
  const loop = { ...job, address, tally, asks: job.asks.map((asked) => prepareAsk(asked, address, job.key)) }
  const connections = job.connections ?? 1
  if (job.mode === 'closed') await closedLoop({ ...loop, connections, spreadMs: job.spreadMs ?? 0 })
  else if (job.mode === 'open') await openLoop({ ...loop, rate: job.rate ?? 100 })
  else await holdOpen({ ...loop, connections })
  clearTimeout(watchdog)
  return tally.close()
}
