import { describe, expect, it } from 'vitest'
import { withMedia } from '../../gateway/relay/adaptation/inline-media.ts'
import type { Conversation } from '../../gateway/relay/formats/conversation.ts'
import { createBodyMemory } from '../../gateway/relay/intake/body-memory.ts'
import { CancellationSource } from '../../gateway/relay/model/cancellation.ts'

const MIB = 1024 * 1024
/** Four thirds of a file's bytes. */
const FILE = { mime: 'image/png', data: 'A'.repeat(MIB) }

const naming = (count: number): Conversation => ({
  model: 'gemini-2.5-pro',
  stream: false,
  tools: [],
  shared: {},
  extras: { from: 'openai', fields: {} },
  turns: [
    {
      role: 'user',
      parts: Array.from({ length: count }, (_, at) => ({
        type: 'media',
        kind: 'image',
        source: { type: 'url', url: `https://files.test/${at}` },
      })),
    },
  ],
})

/** Fetches that end once `wait` resolves, and the number of those started and aborted. */
function fetching(wait: (url: string) => Promise<void> = async () => {}) {
  const told = { asked: 0, aborted: 0 }
  const fetch = async (url: string, signal: AbortSignal) => {
    told.asked += 1
    signal.addEventListener('abort', () => {
      told.aborted += 1
    })
    await wait(url)
    return FILE
  }
  return { fetch, told }
}
const place = {
  upstreamEndpoint: 'generate',
  takesUrls: true,
  accountId: 1,
  cancellation: new CancellationSource(),
  memory: undefined,
} as const
const limits = { maxImages: -1, maxBytes: 3 * MIB }

describe('files that one request names by URL', () => {
  it('may have so much together', async () => {
    const { fetch } = fetching()
    const four = await withMedia({ fetch, ...limits }, naming(4), place)
    expect(four.turns[0]?.parts.every((part) => part.type === 'media' && part.source.type === 'data')).toBe(true)
    await expect(withMedia({ fetch, ...limits }, naming(5), place)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaTooMuch',
      code: 'invalid_image_url',
    })
  })

  it('are no longer fetched once one of them is refused', async () => {
    const never = new Promise<void>(() => {})
    const { fetch, told } = fetching((url) => (url.endsWith('/0') ? Promise.reject(new Error('gone')) : never))
    await expect(withMedia({ fetch, ...limits }, naming(20), place)).rejects.toThrow('gone')
    expect(told).toEqual({ asked: 20, aborted: 20 })
  })

  it('may be so many', async () => {
    const { fetch, told } = fetching()
    const refused = withMedia({ fetch, maxImages: -1, maxBytes: 9000 * MIB }, naming(5000), place)
    await expect(refused).rejects.toMatchObject({ key: 'relay.mediaTooMany' })
    expect(told.asked).toBe(0)
  })

  it('count as bodies do', async () => {
    const memory = createBodyMemory(2 * MIB)
    const ended: (() => void)[] = []
    const response = { closed: false, once: (_: string, end: () => void) => ended.push(end) }
    // `shareFor` uses no other members of a response.
    const share = memory.shareFor(response as never, 1)
    const { fetch } = fetching()
    await withMedia({ fetch, ...limits }, naming(2), { ...place, memory: share })
    expect(memory.taken).toBe(2 * MIB)
    await expect(withMedia({ fetch, ...limits }, naming(3), { ...place, memory: share })).rejects.toMatchObject({
      key: 'relay.bodiesBusy',
    })
    for (const end of ended) end()
    expect(memory.taken).toBe(0)
  })
})
