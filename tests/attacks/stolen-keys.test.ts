import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../support/client.ts'
import { anUpstream, type Upstream } from '../support/upstream.ts'
import { aWorld, type World } from '../support/world.ts'

const KEY = 'sk-the-stored-key-1'
const again = 'The address points to another host. Enter the key again: the stored key is not sent to a new host.'

let world: World
let thief: Upstream
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  thief = await anUpstream()
})
afterAll(() => thief.stop())
beforeEach(() => {
  world.upstream.reset()
  thief.reset()
})

let names = 0
async function stored(fields: object = {}): Promise<{ id: number; model: string }> {
  names += 1
  const model = `m${names}`
  return { id: await world.channel({ key: KEY, models: model, ...fields }), model }
}
const put = (body: object) => world.admin.put('/api/channel', body)
const post = (body: object) => world.admin.post('/api/channel', body)
const newest = async () => dataOf(await world.admin.get('/api/channel?id_sort=true&page_size=1'))[0]
const heard = () => thief.requests.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n')

describe('a stored key goes to no other host than the one it was entered for', () => {
  it.each([
    ['another host', () => ({ base_url: thief.url })],
    ['another host with an empty key', () => ({ base_url: thief.url, key: ' \n ' })],
    ['another port', () => ({ base_url: world.upstream.url.replace(/\d+$/, '1') })],
    ['another scheme', () => ({ base_url: world.upstream.url.replace('http:', 'https:') })],
    ['the host of the type', () => ({ base_url: '' })],
  ])('%s', async (_what, fields) => {
    const { id, model } = await stored()
    expect(await put({ id, ...fields() })).toMatchObject({ success: false, message: again })
    await world.admin.asks(model, 'hi')
    expect(thief.requests).toEqual([])
    expect(world.upstream.last().headers.authorization).toBe(`Bearer ${KEY}`)
    expect(await put({ id, ...fields(), key: 'sk-entered-again' })).toMatchObject({ success: true })
  })

  it('a name before the host is not taken for the host', async () => {
    const { id } = await stored()
    const base_url = `http://${new URL(world.upstream.url).host}@${new URL(thief.url).host}`
    expect(await put({ id, base_url })).toMatchObject({ success: false })
    expect(await put({ id, base_url, key: 'sk-entered-again' })).toMatchObject({ success: false })
  })

  it('another type, where the address is the type’s own', async () => {
    const { id } = await stored({ base_url: '' })
    expect(await put({ id, type: 14 })).toMatchObject({ success: false, message: again })
    expect(await put({ id, type: 14, base_url: 'https://api.openai.com' })).toMatchObject({ success: true })
  })

  it('another path of the same host still gets it', async () => {
    const { id, model } = await stored()
    expect(await put({ id, base_url: `${world.upstream.url}/other/` })).toMatchObject({ success: true })
    await world.admin.asks(model, 'hi')
    expect(world.upstream.last().headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('nor to a proxy that would read it on its way to a plain address', async () => {
    const { id, model } = await stored()
    const setting = JSON.stringify({ proxy: thief.url })
    expect(await put({ id, setting })).toMatchObject({ success: false, message: expect.stringContaining('proxy') })
    expect(await post({ copy_from: id, name: 'copy', setting })).toMatchObject({ success: false })
    await world.admin.asks(model, 'hi')
    expect(thief.requests).toEqual([])
    expect(await put({ id, setting, key: 'sk-entered-again' })).toMatchObject({ success: true })
    expect(await put({ id, setting: JSON.stringify({ proxy: thief.url, system_prompt: 'x' }) })).toMatchObject({
      success: true,
    })
    expect(await put({ id, setting: '{}' })).toMatchObject({ success: true })
  })

  it('nor does any of several keys', async () => {
    const { id, model } = await stored({ key: `${KEY}\nsk-the-second-key`, key_mode: 'pool' })
    expect(await put({ id, base_url: thief.url })).toMatchObject({ success: false, message: again })
    expect(await put({ id, base_url: thief.url, key: 'sk-entered-again' })).toMatchObject({ success: true })
    for (let time = 0; time < 4; time += 1) await world.admin.asks(model, 'hi')
    expect(heard()).not.toMatch(/the-stored-key|the-second-key/)
  })

  it('a copy does not take it along', async () => {
    const { id } = await stored()
    const copy = { copy_from: id, name: 'copy', models: 'copied' }
    expect(await post({ ...copy, base_url: thief.url })).toMatchObject({ success: false, message: again })
    expect(await post({ ...copy, type: 14, base_url: '' })).toMatchObject({ success: false, message: again })
    expect(await post({ ...copy, base_url: thief.url, key: 'sk-own' })).toMatchObject({ success: true })
    expect(await post({ ...copy, base_url: `${world.upstream.url}/v2` })).toMatchObject({ success: true })
    await world.admin.asks('copied', 'hi')
    expect(heard()).not.toContain(KEY)
  })

  it('a region cannot be a host', async () => {
    const vertex = { type: 41, name: 'v', key: '{"client_email":"a@b"}', models: 'gemini', other: 'us-central1' }
    expect(await post(vertex)).toMatchObject({ success: true })
    const { id } = await newest()
    for (const other of ['evil.example/', 'evil.example?x=', '{"default":"us-central1","gemini":"evil.example#"}'])
      expect(await put({ id, other })).toMatchObject({ success: false })
    expect(await put({ id, other: '{"default":"us-central1","gemini":"europe-west1"}' })).toMatchObject({
      success: true,
    })
  })
})

describe('other secrets that a channel sends', () => {
  const override = '{"api_key":"hidden-secret-1","temperature":0}'

  it('are not sent to another host either', async () => {
    const { id } = await stored({ param_override: override })
    const { param_override: masked } = dataOf(await world.admin.get(`/api/channel/${id}`))
    expect(masked).toBe('{"api_key":"••••","temperature":0}')
    const moved = { id, base_url: thief.url, key: 'sk-entered-again' }
    const refused = { success: false, message: expect.stringContaining('param_override') }
    expect(await put(moved)).toMatchObject(refused)
    expect(await put({ ...moved, param_override: masked })).toMatchObject(refused)
    expect(await put({ ...moved, param_override: '{"temperature":0}' })).toMatchObject({ success: true })
    const copied = {
      copy_from: (await stored({ param_override: override })).id,
      name: 'c',
      base_url: thief.url,
      key: 'k',
    }
    expect(await post(copied)).toMatchObject(refused)
  })
})

describe('the password of a proxy goes to no other proxy', () => {
  const setting = '{"proxy":"socks5://user:pass-word-9@127.0.0.1:1080","force_format":true}'

  it('when a channel is changed or copied', async () => {
    const { id } = await stored({ setting })
    const { setting: masked } = dataOf(await world.admin.get(`/api/channel/${id}`))
    expect(JSON.parse(masked)).toEqual({ proxy: 'socks5://user:••••@127.0.0.1:1080', force_format: true })
    for (const change of [
      ['127.0.0.1:1080', '127.0.0.1:1081'],
      ['127.0.0.1', 'evil.example'],
      ['user:', 'other:'],
      ['socks5:', 'http:'],
    ] as const)
      expect(await put({ id, setting: masked.replace(...change) })).toMatchObject({
        success: false,
        message: expect.stringContaining('proxy'),
      })
    expect(await post({ name: 'new', key: 'k', models: 'm', setting: masked })).toMatchObject({ success: false })
    const { registry } = world.gateway.inner
    expect(await put({ id, setting: masked.replace('true', 'false') })).toMatchObject({ success: true })
    expect(registry.channel(id)?.setting).toMatchObject({
      proxy: 'socks5://user:pass-word-9@127.0.0.1:1080',
      force_format: false,
    })
    expect(await post({ copy_from: id, name: 'copy' })).toMatchObject({ success: true })
    expect(registry.channel((await newest()).id)?.setting.proxy).toBe('socks5://user:pass-word-9@127.0.0.1:1080')
  })

  it('when it is tried out', async () => {
    const { id } = await stored({ setting })
    const asked = { type: 1, base_url: world.upstream.url }
    const verify = (body: object) => world.admin.post('/api/channel/proxy', { ...asked, ...body })
    expect(await verify({ id, proxy: 'socks5://user:••••@127.0.0.1:1' })).toMatchObject({ success: false })
    expect(await verify({ proxy: 'socks5://user:••••@127.0.0.1:1080' })).toMatchObject({ success: false })
    expect(await verify({ id, proxy: 'socks5://user:••••@127.0.0.1:1080' })).toMatchObject({
      success: true,
      data: { code: 'proxy_unreachable' },
    })
  })
})
