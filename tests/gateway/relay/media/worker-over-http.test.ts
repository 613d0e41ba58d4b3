import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { geminiAnswer } from '../../../support/gemini.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialectNames } from '../parity/dialects.ts'
import { aFileServer, PNG } from './file-server.ts'

const MIB = 1024 * 1024
const MODEL = 'by-gemini'
let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { [MODEL]: 1 } },
    config: { MAX_FILE_DOWNLOAD_MB: '1', FETCH_ALLOWED_ADDRESSES: '127.0.0.1' },
  })
  await world.channel({ models: MODEL, type: 24 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(async () => {
  world.upstream.reset()
  world.upstream.answers({ body: geminiAnswer({ texts: ['A fox.'] }) })
  await world.option('WorkerValidKey', '')
  await world.option('WorkerUrl', '')
})

/** A worker that serves a file, and records its requests. */
async function aWorker(file: Buffer | string = PNG, headers: Record<string, string> = { 'content-type': 'image/png' }) {
  const told: unknown[] = []
  const server = await aFileServer(async (request, response: ServerResponse) => {
    told.push(await json(request))
    response.writeHead(200, headers).end(file)
  })
  const changes = [
    { key: 'WorkerUrl', value: `${server.url}/fetch` },
    { key: 'WorkerValidKey', value: 'its-key' },
  ]
  dataOf(await world.admin.put('/api/option/batch', { changes }))
  return { ...server, told }
}

/** A request with an image's address, in each dialect that supports it. */
const naming: Record<Exclude<DialectName, 'gemini'>, (url: string) => readonly [path: string, body: object]> = {
  openai: (url) => ['/v1/chat/completions', { messages: [user([{ type: 'image_url', image_url: { url } }])] }],
  responses: (url) => ['/v1/responses', { input: [user([{ type: 'input_image', image_url: url }])] }],
  anthropic: (url) => [
    '/v1/messages',
    { max_tokens: 9, messages: [user([{ type: 'image', source: { type: 'url', url } }])] },
  ],
}
const user = (content: readonly object[]) => ({ role: 'user', content })
type Naming = keyof typeof naming
const namings = dialectNames.filter((name): name is Naming => name !== 'gemini')

function ask(dialect: Naming, url: string) {
  const [path, body] = naming[dialect](url)
  return alice.calls(path, { model: MODEL, ...body })
}
const inline = () => world.upstream.last().json.contents[0].parts[0].inlineData
/** Expects that a file is unavailable: no vendor request and no charge. */
async function refused(dialect: Naming, url: string, message: RegExp): Promise<void> {
  const before = world.upstream.requests.length
  const { status, json: answer } = await ask(dialect, url)
  expect(status).toBe(400)
  expect(answer.error.message).toMatch(message)
  if (dialect !== 'anthropic') expect(answer.error.code).toBe('invalid_image_url')
  expect(world.upstream.requests).toHaveLength(before)
  expect(await lastReceipt(world, alice.id)).toMatchObject({ type: 5, quota: 0 })
}

describe.each(namings)(
  'a file that %s names by its address (docs/reference/limits.md#files-named-by-url)',
  (dialect) => {
    it('is requested from the worker, with its key, and sent on inline', async () => {
      const worker = await aWorker()
      const url = `https://files.test/${dialect}.png`
      expect((await ask(dialect, url)).status).toBe(200)
      expect(worker.asked).toMatchObject([{ method: 'POST', url: '/fetch/' }])
      expect(worker.told).toEqual([{ url, key: 'its-key' }])
      expect(inline()).toEqual({ mimeType: 'image/png', data: PNG.toString('base64') })
    })

    it('is requested once by a request that names it several times', async () => {
      const worker = await aWorker()
      const [path, body] = naming[dialect](`https://files.test/${dialect}-again.png`)
      const text = JSON.stringify({ model: MODEL, ...body })
      const [part = ''] = /\{"type":"(?:image_url|input_image|image)".*?\}+(?=\])/.exec(text) ?? []
      expect((await alice.calls(path, text.replace(part, [part, part, part].join()))).status).toBe(200)
      expect(worker.told).toHaveLength(1)
      expect(world.upstream.last().json.contents[0].parts).toHaveLength(3)
    })

    it('may be at an http address only where that is turned on', async () => {
      const worker = await aWorker()
      await refused(dialect, `http://files.test/${dialect}-dog.png`, /only be fetched from https addresses/)
      expect(worker.asked).toEqual([])
      await world.option('WorkerAllowHttpImageRequestEnabled', true)
      expect((await ask(dialect, `http://files.test/${dialect}-dog.png`)).status).toBe(200)
      await world.option('WorkerAllowHttpImageRequestEnabled', false)
    })

    it('follows the same rules when it comes from the worker', async () => {
      await aWorker('<html>', { 'content-type': 'text/html' })
      await refused(dialect, `https://files.test/${dialect}-page`, /has the type text\/html/)
      await aWorker(Buffer.alloc(MIB + 1), { 'content-type': 'image/png' })
      await refused(dialect, `https://files.test/${dialect}-large.png`, /larger than 1 MiB/)
      await refused(dialect, 'https://files.test:22/a.png', /port 80, 443, 8080 or 8443/)
      await refused(dialect, 'https://169.254.169.254/a.png', /cannot be fetched/)
    })

    it('has the type of its address where the worker returns none', async () => {
      await aWorker('%PDF-1.7 hello', { 'content-type': 'application/octet-stream' })
      expect((await ask(dialect, `https://files.test/${dialect}.pdf`)).status).toBe(200)
      expect(inline().mimeType).toBe('application/pdf')
    })

    it('is fetched from its own server without a worker, within the same size', async () => {
      const size = { bytes: PNG }
      const server = await aFileServer((_, response) => void response.end(size.bytes))
      expect((await ask(dialect, `${server.url}/a.png`)).status).toBe(200)
      expect(server.asked).toMatchObject([{ method: 'GET', url: '/a.png' }])
      size.bytes = Buffer.alloc(MIB + 1)
      await refused(dialect, `${server.url}/b.png`, /larger than 1 MiB/)
    })
  },
)
