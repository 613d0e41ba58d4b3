import { describe, expect, it } from 'vitest'
import { providerFor } from '../../gateway/relay/providers/index.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { chatAnswer } from '../support/chat.ts'
import { reconcile } from '../support/reconcile.ts'
import { aWorld } from '../support/world.ts'

const OUTPUT = 3000

/** An account that sends 30 calls at once, with a low output limit that the channel does not pass on. */
async function served(channel: object, answer: () => object) {
  const world = await aWorld({ options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 } })
  await world.channel({ models: 'm', ...channel })
  const { promise: all, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, 500)
  world.upstream.answers(async () => {
    await all
    return { body: answer() }
  })
  const mallory = await world.user({ quota: 20_000 })
  await mallory.key()
  const calls = Array.from({ length: 30 }, () => mallory.asks('m', 'hi', { body: { max_tokens: 16 } }))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(await reconcile(world.gateway.inner.db)).toEqual([])
  return { count: statuses.filter((status) => status === 200).length, left: await mallory.quota() }
}

describe('a channel that does not pass on the output limit of its callers', () => {
  it('reserves the longest output of the model: parallel calls do not overdraw a balance together', async () => {
    const answer = () => ({
      Response: {
        Usage: { PromptTokens: 8, CompletionTokens: OUTPUT, TotalTokens: OUTPUT + 8 },
        Choices: [{ FinishReason: 'stop', Message: { Role: 'assistant', Content: 'word' } }],
      },
    })
    const { count, left } = await served({ type: 23, key: '1300000000|the-id|the-key' }, answer)
    expect(count).toBeGreaterThan(0)
    expect(left).toBeGreaterThanOrEqual(0)
  })

  it('reserves what its override sets', async () => {
    const override = { param_override: JSON.stringify({ max_tokens: OUTPUT }) }
    const { count, left } = await served(override, () => chatAnswer('word', { prompt: 8, completion: OUTPUT }))
    expect(count).toBeGreaterThan(0)
    expect(left).toBeGreaterThanOrEqual(0)
  })

  it('is known by its type: every vendor whose request has no output limit', async () => {
    const silent: string[] = []
    const conversation = { maxOutput: 16, turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] }
    for (const type of Object.keys(channelTypes)) {
      const provider = providerFor(type as keyof typeof channelTypes)
      if (!provider?.wire) continue
      const dropped = new Set<string>()
      const wire = { tools: [], shared: {}, extras: { from: 'openai', fields: {} }, system: [], ...conversation }
      const target = { model: 'm', drop: (name: string) => void dropped.add(name), channel: {} }
      await provider.wire.encodeRequest(wire as never, target as never)
      if (dropped.has('maxOutput')) silent.push(type)
    }
    const marked = Object.keys(channelTypes).filter(
      (type) => providerFor(type as keyof typeof channelTypes)?.ignoresOutputLimit,
    )
    expect(silent.toSorted()).toEqual(marked.toSorted())
    expect(marked.length).toBeGreaterThan(3)
  })
})
