import { beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type World } from '../../support/world.ts'
import { runOver, until } from '../channels/testing/run-watch.ts'
import { aMailServer, partOf } from '../mail/mail-server.ts'
import { aReceiver, hasAddress, isTold, systemLog } from './receiver.ts'

const dead = { status: 401, body: { error: { message: 'Incorrect API key provided' } } }
const switching = {
  AutomaticDisableChannelEnabled: true,
  AutomaticEnableChannelEnabled: true,
  ChannelDisableThreshold: 0,
}

describe('root is notified of channel events by webhook (docs/reference/channels.md#channel-events)', () => {
  let world: World
  let hook: Awaited<ReturnType<typeof aReceiver>>
  let id: number
  beforeEach(async () => {
    world = await aWorld({ options: switching, config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' } })
    hook = await aReceiver()
    await isTold(world.admin, { notify_type: 'webhook', webhook_url: hook.url })
    id = await world.channel({ name: 'Main' })
  })
  const types = () => hook.received.map(({ json }) => json.type)
  const testsAll = async () => {
    dataOf(await world.admin.get('/api/channel/test'))
    await runOver(world, 'test')
  }

  it('one is switched off, on again, and a test of all is over', async () => {
    world.upstream.answers(dead)
    await world.admin.asks('gpt-4o', 'Hello')
    await hook.has(1)
    expect(hook.received[0]?.json).toMatchObject({
      type: `channel_update_${id}_3`,
      title: 'Channel Main was disabled / 渠道 Main 已被禁用',
      values: ['Main', String(id), 'status code 401: Incorrect API key provided'],
    })
    expect(hook.received[0]?.json.content.split('\n\n')).toEqual([
      `Channel Main (#${id}) was disabled: status code 401: Incorrect API key provided`,
      'No available channel is left for these models: gpt-4o',
      `渠道 Main（#${id}）已被禁用：status code 401: Incorrect API key provided`,
      '以下模型已没有可用渠道：gpt-4o',
    ])
    world.upstream.answers({ body: chatAnswer('hi') })
    await testsAll()
    await hook.has(3)
    const [on, done] = ['channel_update', 'channel_test'].map(
      (type) => hook.received.slice(1).find(({ json }) => json.type.startsWith(type))?.json,
    )
    expect(on).toMatchObject({ type: `channel_update_${id}_1`, title: 'Channel Main was enabled / 渠道 Main 已启用' })
    expect(done).toMatchObject({
      type: 'channel_test',
      title: 'Channel test complete / 渠道测试完成',
      content: expect.stringContaining('Channel test: 1 of 1 tested, 0 failed, 0 disabled, 1 re-enabled.'),
      values: ['1', '1', '0', '0', '1'],
    })
    expect(await systemLog(world, world.admin.id)).toHaveLength(3)
  })

  it('twice in ten minutes at most for one event, and all of it is in the log', async () => {
    for (let turn = 0; turn < 3; turn += 1) await testsAll()
    await until(async () => (await systemLog(world, world.admin.id)).length === 3)
    await hook.has(2)
    world.clock.advanceSeconds(600)
    await testsAll()
    await hook.has(3)
    expect(types()).toEqual(['channel_test', 'channel_test', 'channel_test'])
    expect(await systemLog(world, world.admin.id)).toHaveLength(4)
  })
})

it('root is notified of channel events by mail, in both languages', async () => {
  const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
  const mail = { SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'gateway@example.com' }
  const world = await aWorld({ options: { ...switching, ...mail } })
  await hasAddress(world, world.admin, 'root@example.org')
  const id = await world.channel({ name: '<Main>' })
  world.upstream.answers(dead)
  await world.admin.asks('gpt-4o', 'Hello')
  await until(() => taken.length === 1)
  expect(taken[0]?.to).toEqual(['root@example.org'])
  const raw = taken[0]?.raw ?? ''
  expect(partOf(raw, 'text/plain')).toContain(`Channel <Main> (#${id}) was disabled: status code 401`)
  expect(partOf(raw, 'text/html')).toContain(
    `<div lang="zh-CN"><p>渠道 &lt;Main&gt;（#${id}）已被禁用：status code 401`,
  )
})
