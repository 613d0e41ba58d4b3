import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_RESPONSES } from '../../gateway/relay/stored/load-history.ts'
import { namedItems } from '../../gateway/relay/stored/named-items.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const MODEL = 'deepseek-chat'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [MODEL]: 1 }, RetryTimes: 0 } })
  await world.channel({ type: channelTypes.deepseek.id, models: MODEL })
  alice = await world.user({ quota: 1_000_000_000 })
})

const asks = (input: unknown) => alice.calls('/v1/responses', { model: MODEL, input })

describe('items that a request only names', () => {
  it('are not put in without end: a short body names a long item thousands of times', async () => {
    const message = { role: 'assistant', content: 'word '.repeat(120_000) }
    world.upstream.answers({ body: { choices: [{ message, finish_reason: 'stop' }] } })
    const [{ id }] = (await asks('hi')).json.output
    world.upstream.reset()
    const reference = { type: 'item_reference', id }
    expect((await asks([reference, { role: 'user', content: 'On' }])).status).toBe(200)
    const refused = await asks(Array.from({ length: 300 }, () => reference))
    expect(refused.status).toBe(413)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('are looked up a bounded number of times', async () => {
    const input = Array.from({ length: 60_000 }, (_, index) => ({
      type: 'item_reference',
      id: `msg_of_nobody_${index}`,
    }))
    const looked = new Set<string>()
    const find = async (_: unknown, id: string) => void looked.add(id)
    const owner = { userId: alice.id, tokenId: 0, isGuest: false }
    const { items } = await namedItems({ find }, owner, [...input, { role: 'user', content: 'On' }], {
      grow() {},
      giveBack() {},
      isMuchOfAccount: false,
    })
    expect(items).toHaveLength(input.length + 1)
    expect(looked.size).toBe(MAX_RESPONSES)
  })
})
