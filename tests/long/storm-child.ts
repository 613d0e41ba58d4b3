import { writeSync } from 'node:fs'
import { setImmediate as nextCommit } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Logger } from '../../gateway/base/log/logger.ts'
import { createLedgerChecks, type LedgerChecks } from '../../gateway/billing/ledger-checks.ts'
import { openLedger, type SqliteLedger } from '../../gateway/billing/sqlite-ledger.ts'
import { type OpenDatabase, openDatabase } from '../../gateway/store/sqlite/database.ts'
import { createCalls } from './storm-calls.ts'
import { between, clockAt, seeded } from './storm-crowd.ts'
import { createMovements } from './storm-movements.ts'
import { checkPurses } from './storm-purses.ts'

/**
 * One life of the ledger in a storm: opens the previous one's files, compares memory with the database, prints `ready`,
 * waits for `go` on standard input, then works until it is killed or told to end. It reports each operation
 * immediately, one line each, with a synchronous write to standard output that survives the kill.
 */
const AT = 1_700_000_000
/** Operations per turn of the event loop. */
const AT_A_TIME = 40
const [folder = '', seed = '0', life = '0'] = process.argv.slice(2)
const say = (line: string) => void writeSync(1, `${line}\n`)

let told = ''
process.stdin.on('data', (part) => {
  told += String(part)
})
/** The parent has ended. */
process.stdin.on('end', () => process.exit(1))
const hears = async (word: string) => {
  while (!told.includes(word)) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** An error in the ledger's log is a difference, except for charges that the ledger cannot hold. */
const log: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (message, fields) => {
    if (!message.includes('broke a rule of the database')) say(`! ${message} ${String(fields?.error ?? '')}`)
  },
}

const database = await openDatabase(folder, AT)
const ledger = await openLedger({ database, folder, clock: clockAt(AT), log, show: String })
const clock = { ...clockAt(AT), monotonic: () => performance.now() }
/** Verifies continuously, so that kills occur in every slice; a difference is an error line. */
const rootEvents = { report: async () => {} }
const checks = createLedgerChecks({ db: database.db, clock, log, rootEvents, inTurn: pLimit(1) })
await checks.atStart()
await work(database, ledger, checks)

async function work(database: OpenDatabase, ledger: SqliteLedger, checks: LedgerChecks): Promise<void> {
  const random = seeded(Number(seed) * 1_000_003 + Number(life))
  const scene = { database, ledger, random, say, life }
  const calls = createCalls(scene)
  const movements = createMovements(scene, calls)
  const check = async () => {
    await movements.settled()
    await ledger.flush()
    checkPurses(scene, calls)
  }
  await check()
  say('ready')
  await hears('go')
  while (!told.includes('end')) {
    for (let turn = 0; turn < AT_A_TIME; turn += 1) one(random, calls, movements)
    await nextCommit()
    if (random() < 0.005) await check()
    if (checks.running() === null) checks.begin(random() < 0.3 ? 'all' : 'new', { kind: 'schedule' })
  }
  await check()
  calls.closeAll()
  await check()
  await checks.stop()
  await ledger.close()
  await database.close()
  say('bye')
  process.exit(0)
}

type Deeds = ReturnType<typeof createCalls>

function one(random: () => number, calls: Deeds, movements: ReturnType<typeof createMovements>): void {
  const dice = between(random, 0, 9999)
  if (dice < 3600) calls.hold()
  else if (dice < 5000) calls.checkpoint()
  else if (dice < 8300) calls.close()
  else if (dice < 8800) calls.closeAgain()
  else if (dice < 8802) calls.sameIdAgain()
  else if (dice < 8804) calls.absurd()
  else if (dice < 9400) movements.note()
  else if (dice < 9700) movements.move()
  else if (dice < 9900) movements.changeToken()
  else movements.flush()
}
