import { expect, it } from 'vitest'
import { aWarningLog } from '../../support/warnings.ts'
import { aWorld } from '../../support/world.ts'

it('a trusted proxy that sends a hop which cannot be read is one line a minute (docs/reference/security.md#forwarded-addresses)', async () => {
  const log = aWarningLog()
  const world = await aWorld({ log, config: { TRUSTED_PROXIES: '127.0.0.1' } })
  const asks = (hop: string, path = '/api/status') =>
    fetch(world.url + path, { headers: { 'x-forwarded-for': hop } }).then((answer) => answer.status)
  expect(await asks('203.0.113.7:51008')).toBe(200)
  expect(log.warnings).toEqual([])
  await asks('unknown')
  await asks('unknown', '/v1/models')
  const message = 'a trusted proxy has sent a hop that cannot be read'
  expect(log.warnings).toEqual([{ message, fields: { hop: 'unknown', proxy: '127.0.0.1' } }])
  world.clock.advance(60_000)
  await asks('x'.repeat(500))
  expect(log.warnings[1]).toEqual({ message, fields: { hop: 'x'.repeat(64), proxy: '127.0.0.1', left_out: 1 } })
})
