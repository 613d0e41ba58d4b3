import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'

/** A model of a channel type without a Responses API. */
const MODEL = 'deepseek-chat'

let world: World
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [MODEL]: 1 } } })
  await world.channel({ type: 43, models: MODEL })
  const alice = await world.user({ quota: 100_000_000 })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
})

const turn = (conversation: string, input: string) => client.responses.create({ model: MODEL, conversation, input })
const user = (content: string) => ({ role: 'user', content })

describe('conversations', () => {
  it('are full once they are as long as one may be', async () => {
    const { id } = await client.conversations.create()
    const long = 'x'.repeat(5.5 * 1024 * 1024)
    for (let item = 0; item < 4; item += 1)
      await client.conversations.items.create(id, { items: [user(long) as never] })
    const more = client.conversations.items.create(id, { items: [user(long) as never] })
    await expect(more).rejects.toMatchObject({ status: 400, code: 'conversation_full' })
    await expect(turn(id, long)).rejects.toMatchObject({ status: 400, code: 'conversation_full' })
    const [item] = (await client.conversations.items.list(id)).data
    await client.conversations.items.delete(item?.id ?? '', { conversation_id: id })
    await client.conversations.items.create(id, { items: [user(long) as never] })
    await client.conversations.delete(id)
  })
})
