import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../../gateway/base/errors.ts'
import { createModelList } from '../../../../gateway/channels/admin/models.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { formatMessage } from '../../../../shared/messages/format.ts'
import { atAVendor } from '../at-a-vendor.ts'

const list = { data: [{ id: 'b' }, { id: 'models/a' }, { id: 'b' }] }
const { fetchTrusted, db, parts, server, make, first } = atAVendor()

describe('the models of an upstream', () => {
  const models = () => createModelList({ db: db(), registry: parts().registry, fetchTrusted })
  const bearer = { authorization: 'Bearer sk-one' }

  it.each([
    [1, '/v1/models', bearer],
    [14, '/v1/models', { 'x-api-key': 'sk-one', 'anthropic-version': '2023-06-01', authorization: undefined }],
    [17, '/compatible-mode/v1/models', bearer],
    [24, '/v1beta/openai/models', bearer],
    [26, '/api/paas/v4/models', bearer],
    [45, '/api/v3/models', bearer],
    [46, '/v2/models', bearer],
  ])('of type %i are requested at %s with the right key', async (type, path, headers) => {
    server().replies[path] = { body: list }
    await make(type)
    expect(await models().ofChannel((await first()).id)).toEqual(['b', 'a'])
    for (const [name, value] of Object.entries(headers)) expect(server().heard[0]?.headers[name]).toBe(value)
  })

  it('can be requested before the channel exists, with the first of several keys', async () => {
    server().replies['/v1/models'] = { body: list }
    expect(await models().of({ type: 1, base_url: `${server().base}/`, key: ' sk-a\nsk-b' })).toEqual(['b', 'a'])
    expect(server().heard[0]?.headers.authorization).toBe('Bearer sk-a')
    await models().of({ type: 4, base_url: server().base, key: '' })
    expect(server().heard[1]?.headers.authorization).toBeUndefined()
  })

  it('go through the proxy of the channel', async () => {
    await make(1, { setting: '{"proxy":"http://127.0.0.1:1"}' })
    await expect(models().ofChannel((await first()).id)).rejects.toMatchObject({ key: 'models.fail' })
    expect(server().heard).toEqual([])
  })

  it.each([
    ['an error', { status: 403, body: {} }],
    ['a redirect', { status: 302, body: '', headers: { location: '/v1/models' } }],
    ['a page', { body: '<html>' }],
    ['another shape', { body: { models: [] } }],
    ['too much', { body: `{"data":[{"id":"${'x'.repeat(2 * 1024 * 1024)}"}]}` }],
  ])('fail on %s with one message', async (_what, reply) => {
    server().replies['/v1/models'] = reply
    await make(1)
    const error = await models()
      .ofChannel((await first()).id)
      .catch((refusal: unknown) => refusal)
    if (!(error instanceof GatewayError)) throw error
    const message = formatMessage('en', error.key, error.params)
    expect(message).toContain('failed to get model list')
    if ('status' in reply) expect(message).toContain(String(reply.status))
    expect(server().heard).toHaveLength(1)
  })

  it('are refused without a list, an address or a channel', async () => {
    await expect(models().of({ type: 3, base_url: server().base, key: 'k' })).rejects.toMatchObject({
      key: 'models.fail',
    })
    await expect(models().of({ type: 47, base_url: '', key: 'k' })).rejects.toMatchObject({ key: 'models.fail' })
    await expect(models().ofChannel(999_999)).rejects.toMatchObject({ key: 'channel.not_found' })
    await make(1)
    await channelStore(db()).update([(await first()).id], { key: 'v1.of.another.key' })
    await parts().registry.reload()
    await expect(models().ofChannel((await first()).id)).rejects.toMatchObject({ key: 'channel.need_key' })
    const metadata = models().of({ type: 1, base_url: 'http://169.254.169.254', key: 'k' })
    await expect(metadata).rejects.toMatchObject({ key: 'models.fail' })
    expect(server().heard).toEqual([])
  })
})
