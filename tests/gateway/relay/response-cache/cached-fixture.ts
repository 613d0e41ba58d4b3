import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import type { RelayAnswer } from '../../../support/relay-client.ts'
import { responseAnswer, responseStream } from '../../../support/responses.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Options, type Person, type World } from '../../../support/world.ts'
import { type DialectName, dialects } from '../parity/dialects.ts'

/**
 * A gateway with the cache enabled, channels of three kinds of vendors, and a user with a token that uses the cache.
 */
export type CachedFixture = Readonly<{ world: World; alice: Person; key: string; tokenId: number }>

/** The usage in every response. */
export const FIGURES = { prompt: 333, completion: 77 } as const

/** Channel types by model; each kind of vendor responds in its own dialect. */
export const vendors = { chat: 1, claude: 14, gemini: 24 } as const

/** Opens a fixture; `m` costs one unit per token. */
export async function aCachedFixture(options: Options = {}): Promise<CachedFixture> {
  const world = await aWorld({
    clock: aClock(Date.parse('2026-11-21T10:00:00Z')),
    options: {
      ModelRatio: { m: 1, odd: 0.33337, 'chat-m': 1, 'claude-m': 1, 'gemini-m': 1 },
      CompletionRatio: { m: 1, odd: 4.7 },
      ModelPrice: { call: 0.0031 },
      ResponseCacheEnabled: true,
      RetryTimes: 0,
      ...options,
    },
  })
  await world.channel({ models: 'm,odd,call,chat-m' })
  await world.channel({ models: 'claude-m', type: vendors.claude })
  await world.channel({ models: 'gemini-m', type: vendors.gemini })
  asVendor(world)
  const alice = await world.user({ quota: 100_000_000 })
  const { key, id } = await world.token(alice, { response_cache: true })
  return { world, alice, key, tokenId: id }
}

/** Makes the upstream respond in the dialect of the requested path, with a slightly different text each time. */
export function asVendor({ upstream }: Pick<World, 'upstream'>): void {
  let turn = 0
  upstream.reset()
  upstream.answers((request) => {
    turn += 1
    return spoken(request, turn)
  })
}

function spoken({ path, json }: Recorded, turn: number): Script {
  const said = { texts: ['Number ', `${turn}: ä ✓`] }
  const isStream = json?.stream === true || path.includes('streamGenerateContent')
  if (path.includes('/messages'))
    return isStream ? { events: messageStream(said, FIGURES) } : { body: messageAnswer(said, FIGURES) }
  if (path.includes('/responses'))
    return isStream ? { events: responseStream(said, FIGURES) } : { body: responseAnswer(said, FIGURES) }
  if (path.includes('enerateContent'))
    return isStream ? { events: geminiStream(said, FIGURES) } : { body: geminiAnswer(said, FIGURES) }
  if (path.includes('/embeddings'))
    return {
      body: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [turn] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      },
    }
  return isStream ? { events: chatStream(said.texts, FIGURES) } : { body: chatAnswer(said.texts.join(''), FIGURES) }
}

/** A cacheable request of a dialect; `text` makes it unique. */
export function cacheable(dialect: DialectName, model: string, stream: boolean, text: string) {
  const { path, body } = dialects[dialect]
  const asked: object = body(model, stream)
  const zero =
    dialect === 'gemini' ? { generationConfig: { temperature: 0, stopSequences: [text] } } : { temperature: 0 }
  const own = dialect === 'responses' ? { store: false, user: text } : {}
  const more = dialect === 'openai' ? { user: text } : {}
  const meta = dialect === 'anthropic' ? { stop_sequences: [text] } : {}
  return { path: path(model, stream), body: { ...asked, ...zero, ...own, ...more, ...meta } }
}

/** The cache status that the gateway reports for a response. */
export const cacheOf = ({ headers }: RelayAnswer): string | null => headers.get('x-switchyard-cache')

/** A chat request with temperature 0. */
export const zero = (text: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content: text }],
  temperature: 0,
  ...more,
})

/** The number of cached responses. */
export const keptIn = async ({ admin }: World): Promise<number> =>
  dataOf(await admin.get('/api/response_cache')).answers
