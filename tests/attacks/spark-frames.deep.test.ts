import { afterAll, expect, it } from 'vitest'
import { aSparkVendor, frame } from '../gateway/relay/providers/spark-vendor.ts'
import { aWorld } from '../support/world.ts'

const spark = await aSparkVendor()
afterAll(() => spark.stop())

/** More than the 64 MiB allowed in a response, and no end. */
const endless = Array(66).fill(frame(1, 'x'.repeat(1024 * 1024)))

it('frames of Spark without an end are refused once they are longer than an answer may be, and the socket is closed', async () => {
  const world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  const alice = await world.user({ quota: 100_000_000 })
  await world.channel({ type: 18, key: 'app|secret|key', models: 'SparkDesk', base_url: spark.url, other: 'v3.1' })
  spark.tells({ frames: endless })
  const { status } = await alice.calls('/v1/chat/completions', {
    model: 'SparkDesk',
    messages: [{ role: 'user', content: 'Hello?' }],
  })
  expect(status).toBe(502)
  await spark.visits[0]?.closed
}, 60_000)
