import { afterAll, describe, expect, it } from 'vitest'
import { createRecordingMeter } from '../../../../gateway/relay/tokenizer/recording-meter.ts'
import { flacOfComments, wav } from './recordings.ts'

/** The machine may be busy with other tests: here nothing is given up for its time. */
const PATIENT = { longestMs: 600_000, longestWaitMs: 600_000 }
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
    await meter.seconds([good])
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
    expect(await meter.seconds([good, good, slow])).toBe(183)
    const [owned, spent] = [process.threadCpuUsage(own), process.cpuUsage(all)]
    expect(owned.user + owned.system).toBeLessThan((spent.user + spent.system) / 3)
  })

  it('estimates by its size what takes too long, and what comes after it is no worse off', async () => {
    const meter = aMeter({ ...PATIENT, threads: 1, longestMs: 1 })
    expect(await meter.seconds([slow])).toBe(slow.bytes.length / 16_000)
    // The first one's thread has ended, and its place is free again.
    expect(await meter.seconds([slow])).toBe(slow.bytes.length / 16_000)
  })

  it('estimates where too many wait, or one has waited for long', async () => {
    const full = aMeter({ ...PATIENT, threads: 1, waiting: 0 })
    const first = full.seconds([good])
    expect(await full.seconds([good])).toBe(good.bytes.length / 16_000)
    expect(await first).toBe(61)
    const hasty = aMeter({ ...PATIENT, threads: 1, longestWaitMs: 1 })
    const long = hasty.seconds([slow])
    expect(await hasty.seconds([good])).toBe(good.bytes.length / 16_000)
    expect(await long).toBe(61)
  })

  it('measures the smallest of those that wait first, and estimates the largest where too many do', async () => {
    const meter = aMeter({ ...PATIENT, threads: 1, waiting: 1 })
    const first = meter.seconds([slow])
    const large = meter.seconds([good, good])
    const small = meter.seconds([good])
    expect(await large).toBe((2 * good.bytes.length) / 16_000)
    expect(await small).toBe(61)
    expect(await first).toBe(61)
  })

  it('estimates once it is closed', async () => {
    const meter = aMeter(PATIENT)
    await meter.close()
    expect(await meter.seconds([good])).toBe(good.bytes.length / 16_000)
  })
})
