import { expect, it } from 'vitest'
import { aSharedWorld, callFrom, change, failureOf, HERE, look } from './shared-world.ts'

it('smoke', async () => {
  const world = await aSharedWorld()
  console.log(JSON.stringify(await look(world)))
  const url = `http://${HERE}:${world.port}`
  expect(await failureOf(callFrom(`${url}/api/status`))).toBe('ECONNREFUSED')
  const t = performance.now()
  const view = await change(world, { on: true })
  console.log(performance.now() - t, JSON.stringify(view, null, 1))
  const ca = (await callFrom(`${url}/switchyard-ca.crt`)).text
  const got = await callFrom(`https://${HERE}:${world.port}/api/status`, { ca })
  expect(got.status).toBe(200)
  console.log(await world.admin.post('/api/share/check', {}))
  await change(world, { on: false })
  expect(await failureOf(callFrom(`${url}/api/status`))).toBe('ECONNREFUSED')
})
