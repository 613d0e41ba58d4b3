import { describe, expect, it } from 'vitest'
import { channelStatus } from '../../shared/enums.ts'
import { chatAnswer } from '../support/chat.ts'
import { anUpstream, type Recorded } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Vendors refuse some requests with the status for a bad key, although the key serves all others: at endpoints outside
 * of its scopes, or with a tool that its organization may not use. One account that sends them must not take the
 * channel from others.
 */
const noScope = {
  status: 401,
  body: {
    error: {
      message: 'You have insufficient permissions for this operation. Missing scopes: model.request.',
      type: 'invalid_request_error',
      code: null,
    },
  },
}
const unknownRefusal = { status: 401, body: { error: { message: 'Not for this one.', type: 'invalid_request_error' } } }
const isChat = ({ path }: Recorded) => path.startsWith('/v1/chat/completions')

const refuse = (person: Person) => person.calls('/v1/moderations', { model: 'gpt-4o', input: 'x' })
const statuses = async ({ gateway }: World) =>
  (await gateway.inner.db.selectFrom('channels').select('status').execute()).map(({ status }) => status)

describe.each([
  ['names the missing scopes', noScope],
  ['gives no reason', unknownRefusal],
])('a 401 for one endpoint that %s', (_name, refusal) => {
  it('disables no channel whose key serves other requests', async () => {
    const world = await aWorld({ options: { AutomaticDisableChannelEnabled: true, RetryTimes: 3 } })
    for (const key of ['one', 'two', 'three']) await world.channel({ models: 'gpt-4o', key })
    world.upstream.answers((request) => (isChat(request) ? { body: chatAnswer('ok') } : refusal))
    const mallory = await world.user({ quota: 1_000_000 })
    const bob = await world.user({ quota: 1_000_000 })
    for (let call = 0; call < 3; call += 1) expect((await refuse(mallory)).status).toBe(401)
    expect(await statuses(world)).toEqual([1, 1, 1])
    expect((await bob.asks('gpt-4o', 'hi')).status).toBe(200)
    const tests = world.upstream.requests.filter(isChat)
    expect(tests.length).toBeLessThanOrEqual(4)
  })

  it('does not move the requests of others to a dearer channel', async () => {
    const world = await aWorld()
    const dear = await anUpstream()
    await world.channel({ models: 'gpt-4o', key: 'cheap', priority: 9 })
    await world.channel({ models: 'gpt-4o', key: 'dear', base_url: dear.url })
    for (const upstream of [world.upstream, dear])
      upstream.answers((request) => (isChat(request) ? { body: chatAnswer('ok') } : refusal))
    const mallory = await world.user({ quota: 1_000_000 })
    const bob = await world.user({ quota: 1_000_000 })
    for (let call = 0; call < 6; call += 1) {
      await refuse(mallory)
      await bob.asks('gpt-4o', 'hi')
      world.clock.advanceSeconds(20)
    }
    expect(dear.requests.filter(isChat)).toEqual([])
    await dear.stop()
  })
})

describe('a key that no longer works', () => {
  it('is disabled at the request of any user', async () => {
    const world = await aWorld({ options: { AutomaticDisableChannelEnabled: true } })
    await world.channel({ models: 'gpt-4o', key: 'one' })
    world.upstream.answers(unknownRefusal)
    const alice = await world.user({ quota: 1_000_000 })
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(401)
    expect(await statuses(world)).toEqual([channelStatus.autoDisabled])
  })

  it('is skipped for all once the requests of two accounts have met it', async () => {
    const world = await aWorld()
    const spare = await anUpstream()
    await world.channel({ models: 'gpt-4o', key: 'one', priority: 9 })
    await world.channel({ models: 'gpt-4o', key: 'two', base_url: spare.url })
    world.upstream.answers(unknownRefusal)
    spare.answers({ body: chatAnswer('ok') })
    for (let account = 0; account < 5; account += 1)
      expect((await (await world.user({ quota: 1_000_000 })).asks('gpt-4o', 'hi')).status).toBe(200)
    expect(world.upstream.requests).toHaveLength(2)
    await spare.stop()
  })
})
