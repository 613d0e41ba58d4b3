import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createBooks } from './storm-books.ts'
import { between, gather, seeded } from './storm-crowd.ts'
import { createWitness, type Witness } from './storm-witness.ts'

/**
 * Random operations on the ledger of a real database, in a process that is repeatedly killed (SIGKILL); after each
 * recovery every row and balance is compared with the operations that the process had acknowledged. `--operations`,
 * `--crashes` (at least this many while it works; some more while it starts) and `--seed`; exits 1 on a difference.
 */
const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    crashes: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
  },
})
const operations = Number(values.operations)
const crashes = Number(values.crashes)
const seed = Number(values.seed)
const random = seeded(seed)
const folder = mkdtempSync(join(tmpdir(), 'ledger-storm-'))
const books = createBooks(folder)
const tally = { operations: 0, crashes: 0, atStart: 0, differences: 0, lives: 0 }
const print = (line: string) => void process.stdout.write(`${line}\n`)

await gather(folder, 1_700_000_000)
report(books.differences(createWitness()))
/** Operations of the previous life: its rows are complete once the next has recovered. */
let before = createWitness()
const started = performance.now()
while (tally.operations < operations || tally.crashes < crashes) await live()
await liveToTheEnd()
const seconds = ((performance.now() - started) / 1000).toFixed(0)
print(`seed ${seed}: ${tally.atStart} more crashes while starting, ${books.charges()} charges, ${seconds} s`)
print(`ledger storm: ${tally.operations} operations, ${tally.crashes} crashes, ${tally.differences} differences`)
if (tally.differences === 0) rmSync(folder, { recursive: true, force: true })
else print(`the data is kept in ${folder}`)
process.exit(tally.differences === 0 ? 0 : 1)

/** One child from start to kill. */
async function live(): Promise<void> {
  const child = start()
  if (random() < 0.15) {
    await pause(between(random, 5, 600))
    await child.kill()
    // This life recovered, but started no work, so `before` remains the previous life.
    tally.atStart += 1
    before.complaints.push(...child.witness.complaints)
    return
  }
  await child.recovered()
  const left = Math.max(operations - tally.operations, 1)
  const goal = between(random, 1, Math.ceil((2 * left) / Math.max(crashes - tally.crashes, 1)))
  child.process.stdin?.write('go\n')
  await child.reaches(goal)
  if (random() < 0.5) await pause(random() * 60)
  await child.kill()
  tally.crashes += 1
  tally.operations += child.witness.operations()
  before = child.witness
  if (tally.crashes % 10 === 0)
    print(`${tally.operations} operations, ${tally.crashes} crashes, ${tally.differences} differences`)
}

/** The last child recovers, works a little and ends normally: no work may be left for another. */
async function liveToTheEnd(): Promise<void> {
  const child = start()
  await child.recovered()
  child.process.stdin?.write('go\n')
  await child.reaches(1000)
  child.process.stdin?.write('end\n')
  await child.over
  tally.operations += child.witness.operations()
  if (!child.witness.hasSaid('bye')) report(['the last child did not end in order'])
  report(books.differences(child.witness))
}

function start() {
  tally.lives += 1
  const args = [join(import.meta.dirname, 'storm-child.ts'), folder, String(seed), String(tally.lives)]
  const running: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const witness = createWitness()
  const until = createWaits()
  if (!running.stdout) throw new Error('the child has no output')
  let cut = ''
  running.stdout.setEncoding('utf8').on('data', (part: string) => {
    // A line without its end was being written when the child died, and is ignored.
    const lines = (cut + part).split('\n')
    cut = lines.pop() ?? ''
    for (const line of lines) witness.hear(line)
    until.look()
  })
  const over = once(running, 'close')
  void over.then(() => until.end())
  running.stdin?.on('error', () => {})
  return {
    process: running,
    witness,
    over,
    async kill() {
      running.kill('SIGKILL')
      await over
      if (running.signalCode !== 'SIGKILL') report([`a child ended by itself, with ${running.exitCode}`])
    },
    reaches: (count: number) => until.holds(() => witness.operations() >= count),
    async recovered() {
      await until.holds(() => witness.hasSaid('ready'))
      if (!witness.hasSaid('ready')) report(['a child did not recover'])
      report(books.differences(merged(before, witness)))
    },
  }
}

/** The operations of the previous life, with the complaints of the one that recovered from it. */
function merged(past: Witness, now: Witness): Witness {
  return { ...past, complaints: [...past.complaints, ...now.complaints.splice(0)] }
}

/** Promises that resolve when a condition holds, or when no more output can come. */
function createWaits() {
  const waits = new Map<() => boolean, () => void>()
  let isOver = false
  const look = () => {
    for (const [condition, keep] of waits)
      if (isOver || condition()) {
        waits.delete(condition)
        keep()
      }
  }
  return {
    look,
    end() {
      isOver = true
      look()
    },
    holds: (condition: () => boolean) =>
      new Promise<void>((keep) => {
        waits.set(condition, keep)
        look()
      }),
  }
}

function report(differences: readonly string[]): void {
  tally.differences += differences.length
  for (const one of differences.slice(0, 20)) print(`life ${tally.lives}: ${one}`)
}
