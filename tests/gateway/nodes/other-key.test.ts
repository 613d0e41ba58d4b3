import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { aCommand } from '../../process/child.ts'
import { aWorld } from '../../support/world.ts'

it('a node with another data key is not ready, and logs why, until data is sealed with its key', async () => {
  const lines: string[] = []
  const log = { ...silentLogger, error: (text: string) => void lines.push(text) }
  const one = await aWorld()
  const channel = await one.channel({ models: 'm' })
  const SWITCHYARD_MASTER_KEY = randomBytes(32).toString('base64')
  const config = { SWITCHYARD_MASTER_KEY, DATABASE_URL: one.databaseUrl }
  const other = await one.node({ config: { SWITCHYARD_MASTER_KEY }, log })
  const readiness = async ({ url }: typeof one) => (await fetch(`${url}/readyz`)).status
  expect([await readiness(one), await readiness(other)]).toEqual([200, 503])
  expect(lines).toEqual([expect.stringContaining('sealed with another data key')])
  const doctor = () => aCommand({ folder: '/nowhere', config, args: ['doctor'] })
  expect((await doctor()).out).toMatch(/x data key .* but data is sealed with another data key/)
  other.clock.advance(5000)
  expect(await readiness(other)).toBe(503)

  const { success } = await other.admin.put('/api/channel', { id: channel, key: 'sk-again' })
  expect(success).toBe(true)
  other.clock.advance(5000)
  await expect.poll(() => readiness(other)).toBe(200)
})
