import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { aDrawingFixture, drawingsIn, GIVEN } from '../gateway/relay/tasks/drawing-fixture.ts'

/** Sends an endless response to a status query, one blank per second; accepts every submission. */
async function aDrippingVendor() {
  const drips: NodeJS.Timeout[] = []
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url?.endsWith('list-by-condition')) drips.push(setInterval(() => response.write(' '), 1000))
    else response.end(JSON.stringify({ code: 1, description: 'ok', result: 'slow-1', properties: {} }))
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const drip of drips) clearInterval(drip)
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, questions: () => drips.length }
}

it('a vendor whose response never ends delays the drawings of others once, and no stop (docs/reference/tasks.md#polling)', async () => {
  const slow = await aDrippingVendor()
  const warnings: string[] = []
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) }
  const config = { UPDATE_TASK: 'true', TASK_POLLING_INTERVAL: '1' }
  const { world, vendor, alice } = await aDrawingFixture({ config, log })
  const bob = await world.user({ quota: GIVEN, group: 'vip' })
  await world.channel({ type: 5, models: 'mj_imagine', key: 'k', base_url: slow.url, group: 'vip' })
  const isDone = async (id: string) =>
    (await drawingsIn(world)).some((row) => row.mj_id === id && row.progress === '100%')
  const draw = async () => {
    const { json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells(json.result, { status: 'SUCCESS', progress: '100%', imageUrl: 'https://one.example/1.png' })
    return json.result as string
  }
  await bob.calls('/mj/submit/imagine', { prompt: 'a dog' })
  await expect.poll(slow.questions, { timeout: 20_000 }).toBe(1)
  const first = await draw()
  await expect.poll(() => isDone(first), { timeout: 60_000 }).toBe(true)
  // By now the slow vendor is known: others come first, though its query is still open.
  await expect.poll(slow.questions, { timeout: 60_000 }).toBeGreaterThan(1)
  await world.gateway.stop()
  expect(warnings).not.toContain('background jobs did not end in time')
}, 180_000)
