import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../gateway/base/clock.ts'
import { silentLogger } from '../gateway/base/log/logger.ts'
import { createGateway } from '../gateway/composition/create-gateway.ts'
import { readConfig } from '../gateway/config.ts'
import { headlessSecrets } from '../gateway/secrets.ts'
import { setUp } from './gateway.ts'
import { type Answered, type Asked, bodies, ways } from './loop-load.ts'

/**
 * `npm run bench -- loop`: how long one large request blocks the gateway's thread, measured as the CPU time of the
 * longest turn of its event loop, which is independent of other load on the machine. Load and upstream run on another
 * thread.
 */
const only = process.argv[2] ?? ''
const rounds = 3
const data = mkdtempSync(join(tmpdir(), 'bench-loop-'))
const config = readConfig({ DATA_DIR: data, PORT: '0', GLOBAL_API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0' }, [])
const gateway = await createGateway({ config, secrets: headlessSecrets(config), clock: systemClock, log: silentLogger })
const load = new Worker(new URL('./loop-load.ts', import.meta.url), { workerData: { role: 'load' } })
load.on('error', (error) => {
  throw error
})
const upstream = await heard<string>()
const { call, key } = await setUp(gateway.url, upstream, data)
const prices = JSON.stringify({ talk: 0.05, claude: 0.05, silent: 0.05 })
await call('PUT', '/api/option/', { key: 'ModelRatio', value: prices })
const channel = { name: 'loop', key: 'bench', base_url: upstream, group: 'default' }
await call('POST', '/api/channel/', { ...channel, type: 1, models: 'talk,silent' })
await call('POST', '/api/channel/', { ...channel, type: 14, models: 'claude' })

process.stdout.write('| body | way | status | longest turn, ms | whole, ms |\n|---|---|---|---|---|\n')
for (const body of Object.keys(bodies))
  for (const way of Object.keys(ways))
    if (`${body} ${way}`.includes(only)) await show({ body, way, url: gateway.url, key })
await load.terminate()
await gateway.stop()
rmSync(data, { recursive: true, force: true })

async function show(asked: Asked): Promise<void> {
  const longest: number[] = []
  let told: Answered = { status: 0, ms: 0 }
  for (let round = 0; round < rounds; round += 1) {
    await pause(100)
    const stop = watchTurns()
    load.postMessage(asked)
    told = await heard<Answered>()
    await pause(100)
    longest.push(stop())
  }
  const median = longest.toSorted((a, b) => a - b)[1] ?? 0
  process.stdout.write(
    `| ${asked.body} | ${asked.way} | ${told.status} | ${median.toFixed(0)} | ${told.ms.toFixed(0)} |\n`,
  )
}

function heard<T>(): Promise<T> {
  return new Promise((resolve) => load.once('message', resolve))
}

/** Starts measuring; the function it returns gives the CPU time of the longest turn so far, in milliseconds. */
function watchTurns(): () => number {
  let longest = 0
  let isOver = false
  let last = cpuMs()
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return longest
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
