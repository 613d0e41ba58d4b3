import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RESPONSES_SEAL, responseAnswer, responseStream } from '../../../support/responses.ts'
import type { Said } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { aiSdks } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic-sdk.ts'
import { googleGenai } from './google-sdk.ts'
import { openaiChat } from './openai-sdk.ts'
import type { Sdk } from './question.ts'

let world: World
let sdks: Map<string, Sdk>

/** SDKs that send complete responses back. The AI SDK for OpenAI's chat is not one of them: it sends no reasoning. */
const names = ['openai, chat', 'anthropic', 'genai', 'ai, anthropic', 'ai, google']
const cells = names.flatMap((name) => [false, true].map((stream) => [name, stream] as const))

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'gpt-5.6-sol' })
  const alice = await world.user({ quota: 1_000_000_000 })
  const place = { url: world.url, key: await alice.key() }
  const all = [openaiChat(place), anthropicMessages(place), googleGenai(place), ...aiSdks(place)]
  sdks = new Map(all.map((sdk) => [sdk.name, sdk]))
})
beforeEach(() => world.upstream.reset())

/** Responds with encrypted reasoning and a tool call, then with a final text. */
function vendor({ json }: Recorded): Script {
  const isOver = json.input.some(({ type }: { type?: string }) => type === 'function_call_output')
  const calls = [{ id: 'call_1', name: 'weather', arguments: { city: 'Paris' } }]
  const said: Said = isOver ? { texts: ['Done.'] } : { thoughts: '', calls }
  return json.stream ? { events: responseStream(said) } : { body: responseAnswer(said) }
}

describe('sealed thoughts of OpenAI (docs/reference/conversion.md#sealed-thoughts)', () => {
  it.each(cells)('come back from %s, streamed: %s', async (name, stream) => {
    world.upstream.answers(vendor)
    const sdk = sdks.get(name) ?? expect.fail(`no SDK ${name}`)
    const { text } = await sdk.ask({
      model: 'gpt-5.6-sol',
      text: 'How is the weather?',
      tools: true,
      thinks: true,
      stream,
    })
    expect(text).toBe('Done.')
    expect(world.upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
    const items = world.upstream.last().json.input.slice(-3)
    expect(items.map(({ type }: { type: string }) => type)).toEqual([
      'reasoning',
      'function_call',
      'function_call_output',
    ])
    expect(items[0].encrypted_content).toBe(RESPONSES_SEAL)
  })
})
