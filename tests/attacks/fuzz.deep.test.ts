import { beforeAll, expect, it } from 'vitest'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { aSocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { fuzz } from '../long/fuzz-run.ts'
import { aWorld, type World } from '../support/world.ts'

const SEED = 20_261_121
let world: World
const faults: unknown[] = []

beforeAll(async () => {
  const vendor = await aSocketVendor()
  const log = { ...silentLogger, error: (message: string, fields?: object) => void faults.push({ message, ...fields }) }
  world = await aWorld({ options: { SelfUseModeEnabled: true }, log })
  await world.channel({ models: 'gpt-4o,claude,text-moderation-latest,omni-moderation-latest' })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  return vendor.stop
})

it('random requests, handshakes and frames over every route meet no fault (npm run fuzz sends many more)', async () => {
  const { key } = await world.token(world.admin)
  const { cookie = '', 'new-api-user': id = '' } = world.admin.identity()
  const crowd = { host: new URL(world.url).host, key, session: { Cookie: cookie, 'New-Api-User': id } }
  const { acts, problems, statuses } = await fuzz({
    url: world.url,
    crowd,
    seed: SEED,
    count: 1500,
    atOnce: 12,
    maxMs: Number.POSITIVE_INFINITY,
  })
  expect(problems, `seed ${SEED}`).toEqual([])
  expect(faults, `seed ${SEED}`).toEqual([])
  expect(acts).toBe(1500)
  for (const status of [200, 400, 401, 404, 421]) expect(statuses.get(status), String(status)).toBeGreaterThan(0)
}, 300_000)
