import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aWorld, type Wanted } from '../../support/world.ts'
import { ask, type RawAsk } from './raw.ts'

const page = '<!doctype html><title>console</title>'
const script = `console.log(${JSON.stringify('x'.repeat(5000))})`

async function aConsole(wanted: Wanted = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'switchyard-console-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, 'built')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(parent, 'secret.txt'), 'canary')
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'human-check.html'), page)
  await writeFile(join(folder, 'assets', 'index-abc.js'), script)
  const world = await aWorld({ consoleFolder: folder, ...wanted })
  return { world, folder, at: (path: string, asking: RawAsk = {}) => ask(world.url + path, asking) }
}

describe('the files of the console (docs/reference/api.md#paths-and-queries)', () => {
  it('are served as built; assets are cached, the page is requested each time', async () => {
    const { at } = await aConsole()
    const asset = await at('/assets/index-abc.js')
    expect([asset.status, asset.text]).toEqual([200, script])
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=604800, immutable',
    })
    for (const path of ['/', '/index.html', '/token', '/setting?tab=operation', '/oauth/github', '/console.php']) {
      const reply = await at(path)
      expect([reply.status, reply.text], path).toEqual([200, page])
      expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    }
    expect((await at('/favicon.svg')).headers['content-type']).toBe('image/svg+xml')
  })

  it('explain below a proxy path that the console needs a separate host (docs/operations.md#behind-a-reverse-proxy)', async () => {
    const { at } = await aConsole()
    const below = { headers: { 'x-forwarded-prefix': '/ai', 'accept-language': 'en' } }
    for (const path of ['/', '/index.html', '/token']) {
      const { status, text, headers } = await at(path, below)
      expect([status, text], path).toEqual([404, expect.stringContaining('it needs its own host name')])
      expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    }
    expect((await at('/', { headers: { ...below.headers, 'accept-language': 'zh' } })).text).toContain('独立的域名')
    expect((await at('/assets/index-abc.js', below)).text).toBe(script)
    expect((await at('/api/status', below)).status).toBe(200)
    expect((await at('/', { headers: { 'x-forwarded-prefix': '/' } })).text).toBe(page)
  })

  it('are compressed, revalidated and headed', async () => {
    const { at } = await aConsole()
    const squeezed = await at('/assets/index-abc.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(squeezed.headers['content-encoding']).toBe('gzip')
    expect(Number(squeezed.headers['content-length'])).toBeLessThan(script.length / 10)
    const smaller = await at('/assets/index-abc.js', { headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect(smaller.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    const { etag } = (await at('/')).headers
    const again = await at('/', { headers: { 'if-none-match': etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await at('/token', { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(page.length)])
  })

  it('are served in the compressed form of the build, which has no separate URL', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'switchyard-console-'))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    await writeFile(join(parent, 'index.html'), page)
    await writeFile(join(parent, 'index.js'), script)
    await writeFile(join(parent, 'index.js.br'), 'as built')
    await writeFile(join(parent, 'index.js.gz'), gzipSync(script))
    const { url } = await aWorld({ consoleFolder: parent })
    const { headers } = await ask(`${url}/index.js`, { headers: { 'accept-encoding': 'br' } })
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': '8' })
    expect((await ask(`${url}/index.js`)).text).toBe(script)
    expect((await ask(`${url}/index.js.br`)).text).toBe(page)
  })

  it.each([
    '/api/x',
    '/v1/x',
    '/v1beta/x',
    '/v1x',
    '/pg/x',
    '/mj/x',
    '/suno/x',
    '/assets/x.js',
    '/assets',
    '/dashboard/x',
  ])('%s is never the page', async (path) => {
    const { at } = await aConsole()
    const { status, json } = await at(path)
    expect(status).not.toBe(200)
    expect(json).toBeTypeOf('object')
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/assets/%00index-abc.js',
    '/%E0%A4%A',
  ])('%s leads nowhere', async (path) => {
    const { at } = await aConsole()
    const reply = await at(path)
    expect(reply.status).not.toBe(500)
    expect(reply.text).not.toContain('canary')
  })

  it('are those of the start: one that is put there later is not served, nor one that is changed', async () => {
    const { folder, at } = await aConsole()
    await writeFile(join(folder, 'late.html'), 'canary')
    await writeFile(join(folder, 'assets', 'late.js'), 'canary')
    await writeFile(join(folder, 'index.html'), 'canary')
    await writeFile(join(folder, 'index.html.gz'), 'canary')
    for (const path of ['/late.html', '/assets/late.js', '/', '/index.html', '/index.html.gz'])
      for (const encoding of ['identity', 'gzip'])
        expect((await at(path, { headers: { 'accept-encoding': encoding } })).text, path).not.toContain('canary')
    expect((await at('/assets/late.js')).status).toBe(404)
    expect((await at('/late.html')).text).toBe(page)
  })

  it('answer nothing but reading', async () => {
    const { at } = await aConsole()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await at('/token', { method })).status).toBe(404)
  })

  it('explain how to build the console when it is missing', async () => {
    const { at } = await aConsole({ consoleFolder: join(tmpdir(), 'switchyard-no-such-folder') })
    const { status, text, headers } = await at('/')
    expect([status, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(text).toContain('npm run build')
    expect((await at('/api/status')).status).toBe(200)
  })

  it('are limited for strangers and for this machine, whose address is shared by all clients of a proxy on it', async () => {
    const { at } = await aConsole({ config: { GLOBAL_WEB_RATE_LIMIT: '2', TRUSTED_PROXIES: '127.0.0.1' } })
    const stranger = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    const codes: number[] = []
    for (let call = 0; call < 3; call += 1) codes.push((await at('/', stranger)).status)
    expect(codes).toEqual([200, 200, 429])
    const here = []
    for (let call = 0; call < 3; call += 1) here.push((await at('/')).status)
    expect(here).toEqual([200, 200, 429])
  })

  it('are limited only for pages, not for their scripts and styles; the refusal has the time to retry', async () => {
    const { at } = await aConsole({ config: { GLOBAL_WEB_RATE_LIMIT: '1' } })
    expect((await at('/')).status).toBe(200)
    for (let call = 0; call < 40; call += 1) expect((await at('/assets/index-abc.js')).status).toBe(200)
    const { status, text, headers } = await at('/setting', { headers: { 'accept-language': 'zh' } })
    expect([status, text]).toEqual([429, '错误：请求过于频繁，请稍候再试！\n'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('the headers of the console (docs/reference/security.md#page-headers)', () => {
  it('let it connect only to this origin and not be framed', async () => {
    const { at } = await aConsole()
    const { headers } = await at('/')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    const policy = String(headers['content-security-policy'])
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(directive)
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
  })

  it('are fewer on scripts and styles, which are not documents', async () => {
    const { at } = await aConsole()
    const { headers } = await at('/assets/index-abc.js')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('content-security-policy')
    expect((await at('/favicon.svg')).headers).toHaveProperty('content-security-policy')
  })

  it('follow the settings: frames of chats and home page, the payment form', async () => {
    const { world, at } = await aConsole()
    const directive = async (name: string) =>
      String((await at('/')).headers['content-security-policy'])
        .split('; ')
        .find((part) => part.startsWith(`${name} `))
    await world.option('Chats', [
      { one: 'https://chat.example/#/?key={key}' },
      { two: 'app://open?{key}' },
      { three: "https://x.example;script-src 'unsafe-inline'/" },
    ])
    await world.option('HomePageContent', 'https://home.example/page')
    await world.option('PayAddress', 'https://pay.example/submit')
    expect(await directive('frame-src')).toBe("frame-src 'self' https://chat.example https://home.example")
    expect(await directive('form-action')).toBe("form-action 'self' https://pay.example")
    expect(await directive('script-src')).toBe("script-src 'self'")
    // The pages with human verification have a separate policy.
    await world.option('TurnstileSiteKey', 'a-key')
    await world.option('TurnstileSecretKey', 'a-secret')
    await world.gateway.inner.settings.set('TurnstileCheckEnabled', 'true')
    expect(await directive('script-src')).toBe("script-src 'self'")
  })

  it('leave microphone and camera to the hosts of chats, where the operator allows it', async () => {
    const { world, at } = await aConsole()
    const policy = async () => String((await at('/chat/0')).headers['permissions-policy'])
    await world.option('Chats', [
      { one: 'https://chat.example/#/?key={key}' },
      { two: 'https://chat.example/other' },
      { three: 'app://open?{key}' },
    ])
    await world.option('HomePageContent', 'https://home.example/page')
    const none = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
    expect(await policy()).toBe(none)
    await world.option('ChatDevicesEnabled', true)
    const hosts = '(self "https://chat.example")'
    expect(await policy()).toBe(`camera=${hosts}, geolocation=(), microphone=${hosts}, payment=(), usb=()`)
    await world.option('Chats', [{ three: 'app://open?{key}' }])
    expect(await policy()).toBe(none)
  })

  it('let only one page load the script of the human check, which only the console may frame', async () => {
    const { at } = await aConsole()
    const { headers } = await at('/human-check.html')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com/turnstile/")
    expect(policy).toContain('frame-src https://challenges.cloudflare.com')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    for (const path of ['/', '/login', '/setting', '/index.html'])
      expect(String((await at(path)).headers['content-security-policy']), path).not.toContain('cloudflare')
  })
})
