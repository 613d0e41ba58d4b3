import { expect, it } from 'vitest'
import { aSharedWorld, callFrom, change, DEVICE, failureOf, HERE, look } from './shared-world.ts'

it('a blocked address is refused at once, regardless of other rules (docs/reference/share-people.md#devices)', async () => {
  const world = await aSharedWorld()
  await change(world, { on: true, is_encrypted: false })
  const status = `http://${HERE}:${world.port}/api/status`
  expect((await callFrom(status)).status).toBe(200)
  world.upstream.answers({ hang: true })
  const key = (await world.token(world.admin)).key
  await world.channel()
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }
  const running = failureOf(callFrom(`http://${HERE}:${world.port}/v1/chat/completions`, { key, body }))
  await expect.poll(() => world.upstream.requests.length).toBe(1)
  await change(world, { blocked: [DEVICE, '10.1.0.0/16'] })
  expect(await running).toBe('ECONNRESET')
  expect(await failureOf(callFrom(status))).toBe('ECONNRESET')
  expect((await look(world)).settings.blocked).toEqual([DEVICE, '10.1.0.0/16'])
  await change(world, { blocked: [] })
  expect((await callFrom(status)).status).toBe(200)
  expect(await world.admin.put('/api/share', { blocked: ['everybody'] })).toMatchObject({ success: false })
})
