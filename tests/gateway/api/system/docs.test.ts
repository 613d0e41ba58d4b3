import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { ask } from '../raw.ts'

describe('the OpenAPI document and its viewer', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })
  const get = (path: string, headers: Record<string, string> = {}) => fetch(world.url + path, { headers })

  it('are public, and name the release', async () => {
    const document = await (await get('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.1')
    expect(document.info).toMatchObject({ title: 'Switchyard', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    const page = await get('/api/docs')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await get('/api/docs/')).status).toBe(200)
  })

  it('are compressed, and not sent to clients that have them', async () => {
    const first = await ask(`${world.url}/api/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
    expect(first.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    })
    const whole = await ask(`${world.url}/api/openapi.json`, { headers: { 'accept-encoding': 'identity' } })
    expect(Number(first.headers['content-length'])).toBeLessThan(whole.text.length / 6)
    const { etag = '' } = first.headers
    const again = await ask(`${world.url}/api/openapi.json`, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await ask(`${world.url}/api/openapi.json`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag])
  })

  it('need no other address, no script in the page and no eval', async () => {
    const page = await get('/api/docs')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    const text = await page.text()
    expect(text).not.toMatch(/<script>|https?:\/\//)
    const files = [...text.matchAll(/(?:src|href)="(\/api\/[^"]+)"/g)].map(([, path]) => path ?? '')
    const types = await Promise.all(files.map(async (path) => (await get(path)).headers.get('content-type')))
    expect(files.length).toBe(5)
    expect(new Set(types)).toEqual(
      new Set(['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'application/json; charset=utf-8']),
    )
  })

  it('may be reached by a link on another site, and are not read or framed from there', async () => {
    const linked = await ask(`${world.url}/api/docs`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(linked.status).toBe(200)
    expect(linked.headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    expect(linked.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('are read-only, and no other file is served with them', async () => {
    const posted = await ask(`${world.url}/api/docs`, { method: 'POST' })
    expect([posted.status, posted.json.error.type]).toEqual([404, 'invalid_request_error'])
    expect((await get('/api/docs/../openapi.json')).status).toBe(200)
    expect((await get('/api/docs/package.json')).status).toBe(404)
    expect((await get('/api/docs/__proto__')).status).toBe(404)
  })

  it('count as page files do', async () => {
    const limited = await aWorld({ config: { GLOBAL_WEB_RATE_LIMIT: '2' } })
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await fetch(`${limited.url}/api/openapi.json`)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await limited.visitor.get('/api/status')).success).toBe(true)
  })
})
