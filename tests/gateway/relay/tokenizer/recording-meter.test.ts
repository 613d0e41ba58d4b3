import { afterAll, describe, expect, it } from 'vitest'
import { createRecordingMeter } from '../../../../gateway/relay/tokenizer/recording-meter.ts'
import { flacOfComments, wav } from './recordings.ts'

const [ALICE, BOB] = [1, 2]
/** Limits so long that no count is aborted on a machine that is busy with other tests. */
const PATIENT = { maxMs: 600_000, maxWaitMs: 600_000 }
const good = { bytes: wav(61), type: 'audio/wav' }
const slow = { bytes: flacOfComments(20_000), type: '' }

const meters: ReturnType<typeof createRecordingMeter>[] = []
const aMeter = (...limits: Parameters<typeof createRecordingMeter>) => {
  const meter = createRecordingMeter(...limits)
  meters.push(meter)
  return meter
}
afterAll(() => Promise.all(meters.map((meter) => meter.close())))

describe('recordings are measured on a thread (docs/reference/tokens.md#recordings)', () => {
  it('adds up those of one request, while the calling thread has time for others', async () => {
    const meter = aMeter(PATIENT)
    await meter.seconds(ALICE, [good])
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
    expect(await meter.seconds(ALICE, [good, good, slow])).toBe(183)
    const [owned, spent] = [process.threadCpuUsage(own), process.cpuUsage(all)]
    expect(owned.user + owned.system).toBeLessThan((spent.user + spent.system) / 3)
  })

  it('estimates by its size one that takes too long, which does not affect the next', async () => {
    const meter = aMeter({ ...PATIENT, threads: 1, maxMs: 1 })
    expect(await meter.seconds(ALICE, [slow])).toBe(slow.bytes.length / 16_000)
    // The first thread has ended and its slot is free again, so this succeeds too.
    expect(await meter.seconds(ALICE, [slow])).toBe(slow.bytes.length / 16_000)
  })

  it('estimates where too many wait, or one has waited for long', async () => {
    const full = aMeter({ ...PATIENT, threads: 1, waiting: 0 })
    const first = full.seconds(ALICE, [good])
    expect(await full.seconds(ALICE, [good])).toBe(good.bytes.length / 16_000)
    expect(await first).toBe(61)
    const hasty = aMeter({ ...PATIENT, threads: 1, maxWaitMs: 1 })
    const long = hasty.seconds(ALICE, [slow])
    expect(await hasty.seconds(ALICE, [good])).toBe(good.bytes.length / 16_000)
    expect(await long).toBe(61)
  })

  it('leaves a thread to others, however much one account sends', async () => {
    const meter = aMeter({ ...PATIENT, threads: 2, waiting: 8 })
    let isOver = false
    const slowOnes = [1, 2, 3].map(() => meter.seconds(ALICE, [slow]))
    const all = Promise.all(slowOnes).then(() => {
      isOver = true
    })
    expect(await meter.seconds(BOB, [good])).toBe(61)
    expect(isOver).toBe(false)
    await all
  })

  it('estimates once it is closed', async () => {
    const meter = aMeter(PATIENT)
    await meter.close()
    expect(await meter.seconds(ALICE, [good])).toBe(good.bytes.length / 16_000)
  })
})
