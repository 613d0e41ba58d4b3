import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: channelTypes.ali.id, models: 'wanx' })
  alice = await world.user({ quota: 100_000_000 })
})
beforeEach(() => world.upstream.reset())

/** The bytes of images that a vendor reports at these addresses. */
async function drawn(urls: readonly string[]) {
  const output = { task_id: 'task-1', task_status: 'SUCCEEDED', results: urls.map((url) => ({ url })) }
  world.upstream.answers(({ path }) => ({ body: path.startsWith('/inner') ? Buffer.from('inner secret') : { output } }))
  return alice.calls('/v1/images/generations', { model: 'wanx', prompt: 'a cat', response_format: 'b64_json' })
}

describe('an address that an upstream names in its answer', () => {
  it('is fetched by no connection that may reach the inner network', async () => {
    const { port } = new URL(world.upstream.url)
    const urls = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433'].map(
      (host) => `http://${host}:${port}/inner`,
    )
    const { status, json } = await drawn([
      ...urls,
      'file:///etc/passwd',
      'http://169.254.169.254/latest/',
      'no address',
    ])
    expect(status).toBe(200)
    expect(world.upstream.requests.filter(({ path }) => path.startsWith('/inner'))).toEqual([])
    expect(json.data).toHaveLength(8)
    expect(JSON.stringify(json)).not.toContain('b64_json')
  })

  it('is not fetched more often than an answer has images', async () => {
    const { json } = await drawn(Array.from({ length: 500 }, (_, index) => `http://127.0.0.1:1/${index}`))
    expect(json.data).toHaveLength(500)
  })
})
