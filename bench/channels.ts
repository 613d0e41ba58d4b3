import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock, unixSeconds } from '../gateway/base/clock.ts'
import { randomFraction } from '../gateway/base/ids.ts'
import { silentLogger } from '../gateway/base/log/logger.ts'
import { createVault } from '../gateway/base/secrets/ciphers.ts'
import { createEditor } from '../gateway/channels/admin/editor.ts'
import { createCooldowns } from '../gateway/channels/health/cooldowns.ts'
import { createHealth } from '../gateway/channels/health/health.ts'
import { createInFlight } from '../gateway/channels/health/in-flight.ts'
import { createChannelRegistry } from '../gateway/channels/registry/channel-registry.ts'
import type { Call } from '../gateway/relay/model/call.ts'
import type { Caller } from '../gateway/relay/model/caller.ts'
import type { Plan } from '../gateway/relay/model/plan.ts'
import { Route, type RouteDeps } from '../gateway/relay/routing/route.ts'
import { openSettings } from '../gateway/settings/settings.ts'
import { createAffinity } from '../gateway/shared-state/affinity.ts'
import { createCooldownEntries } from '../gateway/shared-state/cooldown-entries.ts'
import { createFailureWindow } from '../gateway/shared-state/failure-window.ts'
import { openDatabase } from '../gateway/store/sqlite/database.ts'
import { role } from '../shared/enums.ts'

/**
 * `npm run bench -- channels`: the cost of choosing among many channels of one model, and of changing one
 * (bench/README.md).
 */
const { values: flags } = parseArgs({
  options: { channels: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '200' } },
})
const CHANNELS = Number(flags.channels)
const ROUNDS = Number(flags.rounds)
/** In milliseconds. */
const goals = { picking: 0.2, edit: 10 }
const MODEL = 'gpt-4o'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
const database = await openDatabase(folder, unixSeconds(systemClock))
const { db } = database
const vault = createVault(randomBytes(32))
const log = silentLogger
const clock = systemClock
const registry = createChannelRegistry({ db, vault, log })
const editor = createEditor({ db, vault, registry, clock })
const settings = await openSettings({
  store: { load: async () => [], save: async () => true },
  listenAddress: () => '',
  warn: () => {},
  defaults: {},
})
const keys = Array.from({ length: CHANNELS }, (_, index) => `sk-${index}`).join('\n')
await editor.create({
  type: 1,
  name: 'bench',
  key: keys,
  models: MODEL,
  group: 'default',
  base_url: 'http://127.0.0.1:9',
})
const tiers = registry.tiers('default', MODEL)
const ids = tiers.flatMap(({ members }) => members.map(({ channel }) => channel.id))

// The only parts of a request and its plan that routing reads.
const call = { endpoint: 'chat', format: 'openai', model: MODEL, json: { model: MODEL } } as unknown as Call
const plan = { group: 'default', tiers, forced: null, expected: { prompt: 9 }, extras: {} } as unknown as Plan
const caller = { account: { id: 1, role: role.user } } as unknown as Caller
const request = { model: MODEL, accountId: 1, tokens: 9 }

function routing(cooling: (index: number) => boolean): RouteDeps {
  const cooldowns = createCooldowns(clock, randomFraction, createCooldownEntries())
  for (const [index, id] of ids.entries())
    if (cooling(index))
      cooldowns.failed({ id, keyId: '' }, request, { status: 429, transport: false, retryAfter: '900' })
  const health = createHealth({ db, registry, failures: createFailureWindow(clock), clock, settings, log })
  const affinity = createAffinity(clock)
  // No channel of the bench has a limit, so no prompt is measured.
  return { cooldowns, health, affinity, settings, inFlight: createInFlight(clock) } as unknown as RouteDeps
}

const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

let missed = 0
function report(what: string, figures: readonly number[], goal: number): void {
  const middle = median(figures)
  if (middle > goal) missed += 1
  console.log(`${what.padEnd(44)} ${middle.toFixed(3)} ms, goal ${goal} ms${middle > goal ? ' MISSED' : ''}`)
}

const cases = {
  'all of them healthy': () => false,
  'every second one rests': (index: number) => index % 2 === 0,
  'nine of ten rest': (index: number) => index % 10 !== 0,
  'all of them rest': () => true,
}
console.log(`${CHANNELS} channels of one model, medians of ${ROUNDS} requests`)
for (const [name, cooling] of Object.entries(cases)) {
  const deps = routing(cooling)
  const figures = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    new Route(deps, call, plan, { attempts: [], skipped: [] }, undefined, caller).next()
    return performance.now() - started
  })
  report(`picking, ${name}`, figures, goals.picking)
}

const edits: number[] = []
for (let round = 0; round < Math.min(ROUNDS, 50); round += 1) {
  const id = ids[(round * 61) % ids.length] ?? 0
  const started = performance.now()
  await editor.update({ id, weight: round })
  edits.push(performance.now() - started)
}
report('an edit of one of them', edits, goals.edit)
const started = performance.now()
await registry.reload()
console.log(`${'all of them read again, as at the start'.padEnd(44)} ${(performance.now() - started).toFixed(1)} ms`)

await database.close()
rmSync(folder, { recursive: true })
process.exitCode = missed > 0 ? 1 : 0
