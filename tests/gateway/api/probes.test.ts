import { request } from 'node:http'
import { expect, it } from 'vitest'
import { aWorld, type World } from '../../support/world.ts'

/** The status of a path, requested under any Host. */
const statusOf = ({ url }: World, path: string, host = 'balancer.example') =>
  new Promise<number>((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })

it('probes need no account and no known Host; other methods and paths are not probes (docs/operations.md#health)', async () => {
  const world = await aWorld()
  expect(await statusOf(world, '/healthz')).toBe(200)
  expect(await statusOf(world, '/readyz')).toBe(200)
  expect(await statusOf(world, '/healthz/x')).toBe(421)
  expect((await fetch(`${world.url}/healthz`, { method: 'POST' })).status).toBe(404)
})

it('a gateway that stops is not ready, but serves for DRAIN_DELAY_S', async () => {
  const world = await aWorld({ options: { ModelRatio: { m: 1 } }, config: { DRAIN_DELAY_S: '3600' } })
  await world.channel({ models: 'm' })
  const alice = await world.user({ quota: 1_000_000 })
  expect((await alice.asks('m', 'hi')).status).toBe(200)
  const stopping = world.gateway.stop()
  expect(await statusOf(world, '/readyz')).toBe(503)
  expect(await statusOf(world, '/healthz')).toBe(200)
  expect((await alice.asks('m', 'hi')).status).toBe(200)
  void world.gateway.stopNow()
  await stopping
  await expect(statusOf(world, '/healthz')).rejects.toThrow()
})
