import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebhooks, type WebhooksDeps } from '../../../gateway/notify/webhook.ts'
import { openSettings } from '../../../gateway/settings/settings.ts'
import { optionRows } from '../../support/option-rows.ts'
import { aFileServer, aRawServer, patient } from '../relay/media/file-server.ts'
import { aReceiver } from './receiver.ts'

const body = JSON.stringify({ type: 'quota_exceed', content: '额度' })

/** Webhooks that may also connect to 127.0.0.1; name servers are never queried. */
async function theWebhooks(deps: Partial<WebhooksDeps> = {}, options: Record<string, string> = {}) {
  const store = optionRows(options)
  const settings = await openSettings({ store, listenAddress: () => '', warn: () => {}, defaults: {} })
  const webhooks = createWebhooks({
    settings,
    userAgent: 'Switchyard/test',
    isAllowed: (address) => address === '127.0.0.1',
    resolve: async (hostname) => Promise.reject(new Error(`no such name: ${hostname}`)),
    ...deps,
  })
  onTestFinished(() => webhooks.close())
  return (url: string, secret = '') => webhooks.post({ url, secret }, body, patient)
}

describe('a webhook (docs/reference/accounts.md#webhooks)', () => {
  it.each([200, 201, 204, 299])('has accepted a notice if it answers with %i', async (status) => {
    const hook = await aReceiver([status])
    expect(await (await theWebhooks())(hook.url)).toBeNull()
    expect(hook.received[0]?.raw).toBe(body)
  })

  it('receives its secret in any script', async () => {
    const hook = await aReceiver()
    expect(await (await theWebhooks())(hook.url, '密钥\n1')).toBeNull()
    const { headers, raw = '' } = hook.received[0] ?? {}
    expect(Buffer.from(headers?.authorization ?? '', 'latin1').toString()).toBe('Bearer 密钥1')
    const wanted = createHmac('sha256', '密钥\n1').update(raw).digest('hex')
    expect(headers?.['x-webhook-signature']).toBe(wanted)
  })

  it.each([301, 307, 308, 400, 410, 500])(
    'has not accepted a notice if it answers with %i, and is not followed',
    async (status) => {
      const hook = await aReceiver([status])
      expect(await (await theWebhooks())(hook.url)).toMatchObject({ params: { status }, isFinal: false })
      expect(hook.received).toHaveLength(1)
    },
  )

  it('that answers without end has accepted it nevertheless, and is disconnected', async () => {
    const endless = await aRawServer(`HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n${'x'.repeat(50_000)}`, false)
    expect(await (await theWebhooks({ timeoutMs: 10_000 }))(endless.url)).toBeNull()
  })

  it('that does not respond, hangs up or does not exist has not accepted it', async () => {
    const silent = await aReceiver(['hang'])
    const post = await theWebhooks({ timeoutMs: 50 })
    expect(await post(silent.url)).toMatchObject({ key: 'notice.reason_timeout', isFinal: false })
    const { url } = await aRawServer('')
    expect(await (await theWebhooks())(url)).toMatchObject({ key: 'notice.reason_unreachable', isFinal: false })
    expect(await (await theWebhooks())('https://no.such.name/')).toMatchObject({ key: 'notice.reason_unreachable' })
  })

  it('gets the same error, as late, for a name that resolves into the network and for one that does not resolve', async () => {
    const inside = await theWebhooks({ resolve: async () => [{ address: '192.168.1.1', family: 4 }] })
    const { error: refused, ...said } = (await inside('https://wiki.corp.example/')) ?? {}
    const nowhere = await theWebhooks({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) })
    const { error: missing, ...alike } = (await nowhere('https://wiki.corp.example/')) ?? {}
    expect(said).toEqual({ key: 'notice.reason_unreachable', params: {}, isFinal: false })
    expect(alike).toEqual(said)
    // The errors as the process's log reports them.
    expect([refused, missing].map((error) => error instanceof Error && error.name)).toEqual(['AddressRefused', 'Error'])
  })

  it.each(['', 'nothing', 'ftp://127.0.0.1/', 'http://user:pass@127.0.0.1/', 'file:///etc/passwd'])(
    'is not accepted as %o',
    async (url) => {
      expect(await (await theWebhooks())(url)).toMatchObject({ key: 'notice.reason_address', isFinal: true })
    },
  )

  it('is called at a name only where all of its addresses may be called', async () => {
    const hook = await aReceiver()
    const port = new URL(hook.url).port
    const named = (...addresses: string[]) =>
      theWebhooks({ resolve: async () => addresses.map((address) => ({ address, family: 4 })) })
    const url = `http://hook.example:${port}/`
    const refused = { error: { name: 'AddressRefused' } }
    expect(await (await named('127.0.0.1', '10.0.0.1'))(url)).toMatchObject(refused)
    expect(await (await named('192.168.1.1'))('https://hook.example/')).toMatchObject(refused)
    expect(hook.received).toEqual([])
    expect(await (await named('127.0.0.1'))(url)).toBeNull()
    expect(hook.received[0]?.headers.host).toBe(`hook.example:${port}`)
  })
})

describe('a webhook while a proxy worker is set (docs/reference/limits.md#files-named-by-url)', () => {
  async function aWorker(status = 200) {
    const told: unknown[] = []
    const server = await aFileServer(async (request, response: ServerResponse) => {
      told.push(await json(request))
      response.writeHead(status).end()
    })
    return { told, options: { WorkerUrl: `${server.url}/fetch`, WorkerValidKey: 'its-key' }, asked: server.asked }
  }

  it('is called by the worker, which receives all of the request', async () => {
    const { told, asked, options } = await aWorker()
    expect(await (await theWebhooks({}, options))('https://hook.example/a?b=1', 'a-secret')).toBeNull()
    expect(asked).toMatchObject([{ method: 'POST', url: '/fetch/' }])
    expect(told).toEqual([
      {
        url: 'https://hook.example/a?b=1',
        key: 'its-key',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Switchyard/test',
          'x-webhook-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
          authorization: 'Bearer a-secret',
        },
        body: { type: 'quota_exceed', content: '额度' },
      },
    ])
  })

  it('has not accepted a notice if the worker answers with an error', async () => {
    const { options } = await aWorker(502)
    expect(await (await theWebhooks({}, options))('https://hook.example/')).toMatchObject({ params: { status: 502 } })
  })

  it('is not called inside the network, and at http only where the worker may be', async () => {
    const { told, options } = await aWorker()
    for (const url of ['https://10.0.0.1/', 'https://localhost/', 'http://hook.example/'])
      expect(await (await theWebhooks({}, options))(url), url).toMatchObject({ key: 'notice.reason_address' })
    const open = { ...options, WorkerAllowHttpImageRequestEnabled: 'true' }
    expect(await (await theWebhooks({}, open))('http://hook.example/')).toBeNull()
    expect(told).toHaveLength(1)
  })
})
