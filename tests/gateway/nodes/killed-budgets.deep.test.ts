import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { aChild } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { chatAnswer } from '../../support/chat.ts'
import { aWorld } from '../../support/world.ts'

it('the reservation of a killed node counts in a budget until it starts again (docs/growth.md#limits)', async () => {
  const masterKey = randomBytes(32).toString('base64')
  const world = await aWorld({
    config: { SWITCHYARD_MASTER_KEY: masterKey },
    options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0, PreConsumedQuota: 0 },
  })
  await world.channel({ models: 'm' })
  const alice = await world.user({ quota: 1_000_000 })
  const { key } = await world.token(alice, { budgets: { day: 1000 } })
  const folder = await aFolder()
  const config = { SWITCHYARD_MASTER_KEY: masterKey, DATABASE_URL: world.databaseUrl }
  // This node leases the account's quota first, so that the killed one takes only a part with it.
  expect((await alice.asks('m', 'hi')).status).toBe(200)
  const node = await aChild({ folder, config })
  const body = (max_tokens: number) => ({ model: 'm', max_tokens, messages: [{ role: 'user', content: 'hi' }] })
  const asks = (url: string, max_tokens: number) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body(max_tokens)),
    }).then(({ status }) => status)
  world.upstream.answers({ hang: true }, { body: chatAnswer('hi', { prompt: 10, completion: 200 }) })
  const running = asks(node.url, 800).catch(() => 0)
  await expect.poll(() => world.upstream.requests.length).toBe(2)
  node.kill('SIGKILL')
  await node.ended
  expect(await running).toBe(0)
  // The rest of the budget limits the response, then nothing is left.
  expect(await asks(world.url, 500)).toBe(200)
  expect(world.upstream.last().json.max_tokens).toBeLessThan(150)
  expect(await asks(world.url, 500)).toBe(429)
  const again = await aChild({ folder, config })
  world.upstream.answers({ body: chatAnswer('hi', { prompt: 10, completion: 200 }) })
  expect(await asks(world.url, 500)).toBe(200)
  again.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0 })
})
