import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { stayOnLoopback } from '../../../support/loopback.ts'
import { aFetcher, aFileServer, PNG, patient } from './file-server.ts'

stayOnLoopback()

/** A worker that returns an image, and records its requests. */
async function aWorker(status = 200, headers: Record<string, string> = { 'content-type': 'image/png' }) {
  const told: unknown[] = []
  const server = await aFileServer(async (request, response) => {
    told.push(JSON.parse(await text(request)))
    response.writeHead(status, headers).end(PNG)
  })
  return { ...server, told }
}
const nothingAllowed = { isAllowed: () => false }
const png = { mime: 'image/png', data: PNG.toString('base64') }

describe('with a worker (docs/reference/limits.md#files-named-by-url)', () => {
  it('files are requested from it, with its key; its address may be private', async () => {
    const worker = await aWorker()
    const { fetch } = await aFetcher(nothingAllowed, { WorkerUrl: `${worker.url}/fetch`, WorkerValidKey: 'its-key' })
    expect(await fetch('https://files.test/cat.png', patient)).toEqual(png)
    expect(worker.told).toEqual([{ url: 'https://files.test/cat.png', key: 'its-key' }])
    expect(worker.asked).toMatchObject([
      { method: 'POST', url: '/fetch/', headers: { 'content-type': 'application/json' } },
    ])
  })

  it('the type may come from the caller’s address of the file', async () => {
    const server = await aFileServer((_, response) => void response.end('hello'))
    const { fetch } = await aFetcher(nothingAllowed, { WorkerUrl: server.url })
    expect(await fetch('https://files.test/notes.txt', patient)).toMatchObject({ mime: 'text/plain' })
  })

  it('http addresses go through it only where that is turned on', async () => {
    const worker = await aWorker()
    const off = await aFetcher(nothingAllowed, { WorkerUrl: worker.url })
    await expect(off.fetch('http://files.test/cat.png', patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaHttps',
      code: 'invalid_image_url',
    })
    expect(worker.asked).toEqual([])
    const on = await aFetcher(nothingAllowed, {
      WorkerUrl: worker.url,
      WorkerAllowHttpImageRequestEnabled: 'true',
    })
    expect(await on.fetch('http://files.test/cat.png', patient)).toEqual(png)
  })

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://metadata.google.internal/',
    'https://files.test:22/',
    'https://10.0.0.1:8443/',
  ])('%s is not requested from it', async (url) => {
    const worker = await aWorker()
    const { fetch } = await aFetcher(nothingAllowed, { WorkerUrl: worker.url })
    await expect(fetch(url, patient)).rejects.toMatchObject({ kind: 'invalid', key: 'relay.mediaAddress' })
    expect(worker.asked).toEqual([])
  })

  it('its redirects are not followed, and its refusals are reported by status', async () => {
    const worker = await aWorker(302, { location: 'http://127.0.0.1:1/' })
    const { fetch } = await aFetcher(nothingAllowed, { WorkerUrl: worker.url })
    await expect(fetch('https://files.test/a', patient)).rejects.toMatchObject({
      key: 'relay.mediaStatus',
      params: { host: 'files.test', status: 302 },
    })
  })

  it('it is never contacted at a metadata address', async () => {
    const { fetch } = await aFetcher({}, { WorkerUrl: 'http://169.254.169.254' })
    await expect(fetch('https://files.test/a', patient)).rejects.toMatchObject({ key: 'relay.mediaFailed' })
  })
})
