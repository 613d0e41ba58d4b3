import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from './receipts.ts'

const MODEL = 'speaks'
/** A second of speech, in base64; docs/reference/tokens.md#realtime-audio has its number of tokens. */
const SECOND = Buffer.alloc(48_000).toString('base64')

let world: World

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { [MODEL]: 1 },
      CompletionRatio: { [MODEL]: 2 },
      AudioRatio: { [MODEL]: 10 },
      AudioCompletionRatio: { [MODEL]: 2 },
      RetryTimes: 0,
    },
  })
  await world.channel({ models: MODEL })
})

const spoken = (data: string) => ({
  id: 'c',
  choices: [{ index: 0, delta: { audio: { id: 'a', data } }, finish_reason: null }],
})
const body = {
  model: MODEL,
  stream: true,
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'pcm16' },
  messages: [{ role: 'user', content: 'Sing.' }],
}

describe('speech that its account cannot pay for to the end (docs/reference/billing.md#missing-usage)', () => {
  it('is charged as speech, as far as it has gone out, and no more than there was', async () => {
    const given = 8000
    const alice = await world.user({ quota: given })
    world.upstream.answers({ events: [...Array.from({ length: 200 }, () => spoken(SECOND)), '[DONE]'] })

    await alice.calls('/v1/chat/completions', body)

    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.other).toMatchObject({ ended: 'quota', audio_output: receipt.completion_tokens })
    expect(receipt.completion_tokens).toBeGreaterThan(100)
    expect(receipt.quota).toBe(recomputed(receipt))
    expect(receipt.quota).toBeGreaterThan(given / 2)
    expect(receipt.quota).toBeLessThanOrEqual(given)
    expect(await alice.quota()).toBe(given - receipt.quota)
  })

  it('is charged as speech where the upstream breaks off after its first figures', async () => {
    const alice = await world.user({ quota: 1_000_000_000 })
    const begun = { ...spoken(SECOND), usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } }
    world.upstream.answers({ events: [begun, spoken(SECOND), 'never'], cutAfter: 2 })

    await alice.calls('/v1/chat/completions', body)

    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 9, other: { audio_output: receipt.completion_tokens } })
    expect(receipt.completion_tokens).toBeGreaterThan(20)
    expect(receipt.quota).toBe(recomputed(receipt))
  })
})
