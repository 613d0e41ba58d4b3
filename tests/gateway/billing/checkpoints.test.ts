import { statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createCheckpoints } from '../../../gateway/billing/checkpoints.ts'
import { openJournal } from '../../../gateway/billing/journal.ts'
import { aFolder, charge } from './till.ts'

const STREAMS = 1000

/** The number of requests in the file that a start after a kill would find. */
function requestsIn(file: string): number {
  const journal = openJournal(file)
  const { records } = journal.read()
  journal.close()
  return new Set(records.map((record) => (record as { requestId: string }).requestId)).size
}

it('has every running stream in the file at every moment of its compaction', () => {
  const file = join(aFolder(), 'progress.journal')
  const found: number[] = []
  let max = 0
  let size = 0
  let write: typeof writeSync = writeSync
  const journal = openJournal(file, ((...args: Parameters<typeof writeSync>) => write(...args)) as typeof writeSync)
  onTestFinished(journal.close)
  const running = createCheckpoints(journal, 'here', (error) => expect.unreachable(String(error)))
  const checkpoints = (quota: number) => {
    for (let stream = 0; stream < STREAMS; stream += 1) {
      const request = { requestId: `r${stream}`, userId: 1, tokenId: 0, quota: 100 }
      running.checkpoint({ request, limited: false, charge: charge(quota, { content: 'x'.repeat(2000) }) })
      max = Math.max(max, journal.size())
    }
  }
  checkpoints(1)
  write = ((descriptor: number, bytes: Buffer, from: number, length: number) => {
    // A write longer than a line belongs to a compaction; it is cut short here.
    const isCompaction = length > 100_000
    const taken = writeSync(descriptor, bytes, from, isCompaction ? Math.ceil(length / 2) : length)
    const { size: now } = statSync(file)
    if (isCompaction || now < size) found.push(requestsIn(file))
    size = now
    return taken
  }) as typeof writeSync
  for (let round = 2; round < 5; round += 1) checkpoints(round)
  expect(found.length).toBeGreaterThan(0)
  expect(new Set(found)).toEqual(new Set([STREAMS]))
  expect(requestsIn(file)).toBe(STREAMS)
  expect(max).toBeLessThan(10_000_000)
})
