import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { aFileServer, PNG } from '../gateway/relay/media/file-server.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { aWorld } from '../support/world.ts'

const naming = (urls: readonly string[]) => ({
  model: 'gemini-2.5-flash',
  messages: urls.map((url) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })),
})

it('a request whose files never arrive leaves slots to the files of other accounts', async () => {
  const held: ServerResponse[] = []
  const files = await aFileServer((request, response) => {
    if (request.url?.startsWith('/silent')) held.push(response)
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
  })
  const world = await aWorld({ config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' } })
  await world.channel({ type: 24, models: 'gemini-2.5-flash' })
  world.upstream.answers(() => ({ body: geminiAnswer({ texts: ['A cat.'] }) }))
  const [mallory, alice] = [await world.user({ quota: 50_000 }), await world.user({ quota: 5_000_000 })]
  const silent = naming(Array.from({ length: 250 }, (_, at) => `${files.url}/silent${at}`))
  const attack = mallory.calls('/v1/chat/completions', silent)
  await expect.poll(() => held.length).toBe(8)
  const good = naming(Array.from({ length: 8 }, (_, at) => `${files.url}/good${at}`))
  expect((await alice.calls('/v1/chat/completions', good)).status).toBe(200)
  expect(held).toHaveLength(8)
  for (const response of held) response.destroy()
  expect((await attack).status).toBe(400)
})
