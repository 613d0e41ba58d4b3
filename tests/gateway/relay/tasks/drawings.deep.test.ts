import { describe, expect, it } from 'vitest'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import {
  aDrawingFixture,
  booksOf,
  DRAWS,
  drawingsIn,
  GIVEN,
  gets,
  IMAGINE,
  UPSCALE,
  withoutId,
} from './drawing-fixture.ts'

describe('a drawing that is submitted (docs/reference/tasks.md#drawings)', () => {
  it('goes to the channel with its secret, is charged once by its price, and leaves a row and a receipt', async () => {
    const { world, vendor, alice, channel } = await aDrawingFixture()
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat', state: 'mine' })
    expect([status, json]).toEqual([200, { code: 1, description: 'Submit success', result: 'mj-1', properties: {} }])
    const [asked] = vendor.askedAt('/mj/submit/imagine')
    expect([asked?.headers['mj-api-secret'], asked?.headers.authorization]).toEqual(['the-secret-key', undefined])
    expect(asked?.json).toEqual({ prompt: 'a cat', state: 'mine' })
    const [row] = await drawingsIn(world)
    expect(row).toMatchObject({
      code: 1,
      user_id: alice.id,
      action: 'IMAGINE',
      mj_id: 'mj-1',
      prompt: 'a cat',
      description: 'Submit success',
      status: 'NOT_START',
      progress: '0%',
      channel_id: channel,
      quota: IMAGINE,
    })
    expect(String(row?.submit_time)).toHaveLength(13)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 2, model_name: 'mj_imagine', quota: IMAGINE, channel_id: channel })
    expect(receipt.other).toMatchObject({ model_price: 0.1, group_ratio: 1 })
    expect(recomputed(receipt)).toBe(IMAGINE)
    const { rows, quota, used_quota, differences } = await booksOf(world, alice.id)
    expect([quota, used_quota, differences]).toEqual([GIVEN - IMAGINE, IMAGINE, []])
    expect(rows).toEqual([
      ['grant', GIVEN],
      ['consume', -IMAGINE],
    ])
  })

  it('takes its key from mj-api-secret as well, and a mode from the path: mj-fast is of this side, others are passed on', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    const headers = { authorization: 'midjourney-proxy', 'mj-api-secret': await alice.key() }
    for (const mode of ['mj-fast', 'relax']) {
      const { status } = await alice.calls(`/${mode}/mj/submit/imagine`, { prompt: 'a cat' }, { headers })
      expect(status).toBe(200)
    }
    expect(world.upstream.requests.map(({ path }) => path)).toEqual(['/mj/submit/imagine', '/relax/mj/submit/imagine'])
    expect(vendor.askedAt('/relax/mj/submit/imagine')).toHaveLength(1)
    await world.option('MjModeClearEnabled', true)
    await alice.calls('/turbo/mj/submit/imagine', { prompt: 'a cat' }, { headers })
    expect(world.upstream.last().path).toBe('/mj/submit/imagine')
  })

  it('is priced by the option, else by the built-in price, times the ratio of the group, exclusive ones first', async () => {
    const options = {
      ModelPrice: { mj_imagine: 0.2 },
      GroupRatio: { default: 1, vip: 3 },
      GroupGroupRatio: { default: { vip: 0.5 } },
      UserUsableGroups: { default: 'Default', vip: 'VIP' },
    }
    const { world, alice } = await aDrawingFixture({ options })
    await world.channel({ type: 2, models: 'mj_imagine,mj_describe', group: 'vip' })
    const { key } = await world.token(alice, { group: 'vip' })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' }, { key })
    await alice.calls('/mj/submit/describe', { base64: 'data:image/png;base64,AA==' }, { key })
    // 0.2 × 500,000 × 0.5; for the other, the built-in price of 0.05 likewise.
    const quotas = (await drawingsIn(world)).map(({ quota }) => quota)
    expect(quotas).toEqual([50_000, 12_500])
    expect((await booksOf(world, alice.id)).used_quota).toBe(62_500)
  })

  it('shows its state only to its own account', async () => {
    const { world, alice } = await aDrawingFixture()
    const bob = await world.user({ quota: GIVEN })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    const { status, json } = await gets(world, alice, '/mj/task/mj-1/fetch')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: 'mj-1',
      action: 'IMAGINE',
      prompt: 'a cat',
      status: 'NOT_START',
      progress: '0%',
      imageUrl: '',
      failReason: '',
      buttons: [],
    })
    expect(Object.keys(json).sort()).toEqual(
      [
        ...['action', 'botType', 'buttons', 'customId', 'description', 'failReason', 'finishTime', 'id', 'imageUrl'],
        ...['maskBase64', 'progress', 'prompt', 'promptEn', 'properties', 'startTime', 'state', 'status', 'submitTime'],
      ].sort(),
    )
    const list = await alice.calls('/mj/task/list-by-condition', { ids: ['mj-1', 'mj-9'] })
    expect(list.json.map(({ id }: { id: string }) => id)).toEqual(['mj-1'])
    const foreign = await gets(world, bob, '/mj/task/mj-1/fetch')
    expect([foreign.status, foreign.json.code]).toEqual([400, 4])
    expect(foreign.json.description).toContain('task_not_found')
    expect((await bob.calls('/mj/task/list-by-condition', { ids: ['mj-1'] })).json).toEqual([])
    expect((await gets(world, bob, '/mj/task/mj-1/image-seed')).status).toBe(400)
    expect((await gets(world, alice, '/mj/task/mj-1/image-seed')).json).toMatchObject({ code: 1, result: '4711' })
  })

  it('forwards from a body the fields that the operator allows', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    const body = {
      prompt: 'a cat --fast --ar 1:2 --relax',
      notifyHook: 'https://me.test/',
      accountFilter: { modes: ['FAST'] },
    }
    await alice.calls('/mj/submit/imagine', body)
    for (const key of ['MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjModeClearEnabled'] as const)
      await world.option(key, true)
    await alice.calls('/mj/submit/imagine', body)
    const sent = vendor.askedAt('/mj/submit/imagine').map(({ json }) => json)
    expect(sent[0]).toEqual({ prompt: body.prompt })
    expect(sent[1]).toEqual({ ...body, prompt: 'a cat --ar 1:2' })
  })
})

describe('the response of a proxy', () => {
  it.each([
    ['queued', { code: 22, description: 'In queue', result: 'mj-7' }, { code: 1, result: 'mj-7' }, IMAGINE, '0%'],
    [
      'there already',
      { code: 21, description: 'Exists', result: 'mj-7', properties: { status: 'IN_PROGRESS', imageUrl: '' } },
      { code: 1 },
      IMAGINE,
      '0%',
    ],
    [
      'there already, and done',
      {
        code: 21,
        description: 'Exists',
        result: 'mj-7',
        properties: { status: 'SUCCESS', imageUrl: 'https://cdn.test/a.png' },
      },
      { code: 1 },
      0,
      '100%',
    ],
    ['a full queue', { code: 23, description: 'Queue full', result: 'mj-7' }, { code: 23 }, 0, '100%'],
    [
      'a banned prompt',
      { code: 24, description: 'Banned', properties: { bannedWord: 'cat' } },
      { code: 24, properties: { bannedWord: 'cat' } },
      0,
      '100%',
    ],
    ['a bad request', { code: 4, description: 'Bad' }, { code: 4, description: 'Bad' }, 0, '100%'],
  ])('%s', async (_, body, told, quota, progress) => {
    const { world, vendor, alice } = await aDrawingFixture()
    vendor.submits({ body })
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect([status, json]).toEqual([200, expect.objectContaining(told)])
    const [row] = await drawingsIn(world)
    expect(row).toMatchObject({ code: body.code, quota, progress })
    if (body.code > 22 || body.code === 4)
      expect(row).toMatchObject({ status: 'FAILURE', fail_reason: body.description })
    const { used_quota, differences } = await booksOf(world, alice.id)
    expect([used_quota, differences]).toEqual([quota, []])
    expect(JSON.stringify(json)).not.toContain('cdn.test')
  })

  it('without an account: the channel is disabled by the system, and another one is used', async () => {
    const { world, alice, channel } = await aDrawingFixture({
      options: { RetryTimes: 2, AutomaticDisableChannelEnabled: true },
    })
    const other = await world.channel({ type: 2, models: 'mj_imagine', priority: -1 })
    world.upstream.reset()
    world.upstream.answers(
      { body: { code: 3, description: 'No available account instance' } },
      { body: { code: 1, description: 'ok', result: 'mj-5' } },
    )
    const { json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect(json).toMatchObject({ code: 1, result: 'mj-5' })
    expect(await drawingsIn(world)).toMatchObject([{ channel_id: other, quota: IMAGINE }])
    const { status } = (await world.admin.get(`/api/channel/${channel}`)).data
    expect(status).toBe(3)
  })

  it('without an account and without another channel: its own words, with nothing charged', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    vendor.submits({ body: { code: 3, description: 'No available account instance' } })
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect([status, json.code]).toEqual([200, 3])
    expect(await drawingsIn(world)).toMatchObject([{ code: 3, status: 'FAILURE', quota: 0 }])
    expect((await booksOf(world, alice.id)).used_quota).toBe(0)
  })

  it('all accounts are busy: code 30 and HTTP 429', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    vendor.submits({ body: { code: 30, description: 'saturated' } })
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect([status, json.code, Object.keys(json).sort()]).toEqual([429, 30, ['code', 'description', 'type']])
    expect(await drawingsIn(world)).toEqual([])
    expect((await booksOf(world, alice.id)).used_quota).toBe(0)
  })

  it('an error: its words and number with HTTP 400, without the key and the address of the channel', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    const host = new URL(world.upstream.url).host
    vendor.submits({
      status: 403,
      body: { code: 17, description: `the-secret-key is not allowed at ${host}`, type: 'x' },
    })
    const { status, json, text } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect([status, json.type, json.code]).toEqual([400, 'upstream_error', 17])
    expect([text.includes('the-secret-key'), text.includes(host)]).toEqual([false, false])
    expect((await booksOf(world, alice.id)).used_quota).toBe(0)
  })

  it('a long one: each text without the key and the address of the channel, also where it is cut, and with the id', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    const host = new URL(world.upstream.url).host
    for (const before of [16_384, 65_536].flatMap((end) => [end - 14, end - 7, end - 4])) {
      const description = `${'x'.repeat(before)}the-secret-key at ${host}`
      vendor.submits({
        body: { code: 1, description, more: { [description.slice(-15_000)]: [description] }, result: 'mj-7' },
      })
      const { json, text } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
      expect([json.code, json.result, /x.{0,3}the?/.test(text), text.includes(host)]).toEqual([1, 'mj-7', false, false])
    }
  })

  it('an existing drawing: pictures and videos are only links of this gateway, or unchanged where forwarding is off', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    const own = `${world.upstream.url}/pictures/one.png`
    const properties = {
      status: 'SUCCESS',
      imageUrl: own,
      videoUrls: [{ url: 'https://cdn.test/1.mp4' }],
      thumbnailUrls: ['https://cdn.test/small.png'],
      discordInstanceId: '7',
      finalPrompt: 'https://mine.test/cat.png a cat --v 6.1',
      elsewhere: 'HTTPS://cdn.test/other.png',
    }
    const kept = { status: 'SUCCESS', discordInstanceId: '7', finalPrompt: properties.finalPrompt }
    vendor.submits({ body: { code: 21, description: 'Exists', result: 'mj-7', properties } })
    const told = async () => (await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })).json.properties
    const link = /^http:\/\/[^*]+\/mj\/image\/mj-7\?(video=0&)?until=\d+&sig=/
    const { imageUrl, videoUrl, videoUrls, ...others } = await told()
    expect([imageUrl, videoUrl]).toEqual([expect.stringMatching(link), expect.stringMatching(link)])
    expect([videoUrls, others]).toEqual([[{ url: videoUrl }], kept])
    const { pathname, search } = new URL(imageUrl)
    expect((await fetch(world.url + pathname + search)).headers.get('content-type')).toBe('image/png')
    await world.option('MjForwardUrlEnabled', false)
    expect(await told()).toMatchObject({ imageUrl: own, videoUrl: 'https://cdn.test/1.mp4' })
  })

  it('no response at all, and one that is not JSON: another channel is used, at most as often as RetryTimes allows', async () => {
    const { world, alice } = await aDrawingFixture({ options: { RetryTimes: 1 } })
    await world.channel({ type: 2, models: 'mj_imagine' })
    world.upstream.reset()
    world.upstream.answers({ status: 500, body: 'oops' }, { body: { code: 1, description: 'ok', result: 'mj-5' } })
    expect((await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })).json.code).toBe(1)
    world.upstream.answers({ status: 500, body: 'oops' })
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    expect([status, json.code]).toEqual([400, 5])
    expect(world.upstream.requests).toHaveLength(4)
    expect((await booksOf(world, alice.id)).used_quota).toBe(IMAGINE)
  })
})

describe('a request to draw (docs/reference/errors.md#tasks)', () => {
  it('is authorized like every relayed call, with errors in the format of Midjourney', async () => {
    const { world, vendor, alice } = await aDrawingFixture({
      options: { SensitiveWords: 'forbidden', CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: true },
    })
    const poor = await world.user({ quota: IMAGINE - 1 })
    const limited = await world.token(alice, { model_limits_enabled: true, model_limits: 'mj_describe' })
    const small = await world.token(alice, { unlimited_quota: false, remain_quota: IMAGINE - 1 })
    const asks = async (person: typeof alice, prompt: string, key?: string) => {
      const { status, json } = await person.calls('/mj/submit/imagine', { prompt }, key ? { key } : {})
      return [status, json.code, json.type, withoutId(json.description).split(' ')[0]]
    }
    expect(await asks(alice, 'a cat', 'nobodys')).toEqual([401, 4, 'switchyard_error', expect.anything()])
    expect(await asks(alice, 'a cat', limited.key)).toEqual([403, 4, 'switchyard_error', 'model_not_allowed'])
    expect(await asks(alice, 'a cat', small.key)).toEqual([
      403,
      4,
      'switchyard_error',
      'pre_consume_token_quota_failed',
    ])
    expect(await asks(poor, 'a cat')).toEqual([403, 4, 'switchyard_error', 'insufficient_user_quota'])
    expect(await asks(alice, 'a FORBIDDEN cat')).toEqual([400, 24, 'switchyard_error', 'sensitive_words_detected'])
    expect(await asks(alice, ' ')).toEqual([400, 4, 'switchyard_error', 'prompt_is_required'])
    expect((await alice.calls('/mj/submit/paint', {})).json).toMatchObject({ code: 4, type: 'switchyard_error' })
    expect(vendor.askedAt('/mj/submit/imagine')).toEqual([])
    expect(await drawingsIn(world)).toEqual([])
    expect((await booksOf(world, alice.id)).used_quota).toBe(0)
  })

  it('is refused for a model that no channel of the group offers, and over a channel of another kind', async () => {
    const { world, alice } = await aDrawingFixture()
    await world.channel({ type: 1, models: 'mj_imagine', group: 'vip' })
    await world.option('UserUsableGroups', { default: 'Default', vip: 'VIP' })
    const { key } = await world.token(alice, { group: 'vip' })
    const { status, json } = await alice.calls('/mj/submit/imagine', { prompt: 'a cat' }, { key })
    expect([status, json.type]).toEqual([503, 'switchyard_error'])
    expect(json.description).toContain('no_available_channel')
  })
})

describe('an action that continues a drawing', () => {
  const drawn = async () => {
    const fixture = await aDrawingFixture({ options: { MjNotifyEnabled: true } })
    const { world, vendor, alice } = fixture
    // Another channel that could be selected, but must not be.
    await world.channel({ type: 2, models: 'mj_upscale,mj_variation,mj_reroll', priority: 10 })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', { status: 'SUCCESS', progress: '100%', imageUrl: '' })
    await world.gateway.inner.db.updateTable('midjourneys').set({ status: 'SUCCESS', progress: '100%' }).execute()
    return fixture
  }

  it.each([
    ['change', { taskId: 'mj-1', action: 'UPSCALE', index: 2 }, 'UPSCALE', UPSCALE],
    ['change', { taskId: 'mj-1', action: 'VARIATION', index: 4 }, 'VARIATION', IMAGINE],
    ['change', { taskId: 'mj-1', action: 'REROLL' }, 'REROLL', IMAGINE],
    ['simple-change', { content: 'mj-1 U3' }, 'UPSCALE', UPSCALE],
    ['simple-change', { content: 'mj-1 V1' }, 'VARIATION', IMAGINE],
    ['simple-change', { content: 'mj-1 R' }, 'REROLL', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::upsample::2::hash' }, 'UPSCALE', UPSCALE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::variation::1::hash' }, 'VARIATION', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::low_variation::1::hash::SOLO' }, 'LOW_VARIATION', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::high_variation::1::hash::SOLO' }, 'HIGH_VARIATION', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::pan_left::1::hash::SOLO' }, 'PAN', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::reroll::0::hash::SOLO' }, 'REROLL', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::Outpaint::50::1::hash::SOLO' }, 'ZOOM', IMAGINE],
    ['action', { taskId: 'mj-1', customId: 'MJ::CustomZoom::hash' }, 'CUSTOM_ZOOM', 0],
    ['action', { taskId: 'mj-1', customId: 'MJ::Inpaint::1::hash::SOLO' }, 'INPAINT', 0],
    ['modal', { taskId: 'mj-1', prompt: 'with a hat' }, 'MODAL', IMAGINE],
    ['video', { taskId: 'mj-1', index: 0, motion: 'low', action: 'extend' }, 'VIDEO', 400_000],
  ])('%s %j is %s and costs %i', async (path, body, action, quota) => {
    const { world, vendor, alice, channel } = await drawn()
    const { status, json } = await alice.calls(`/mj/submit/${path}`, body)
    expect([status, json.code, json.result]).toEqual([200, 1, 'mj-2'])
    expect(vendor.askedAt(`/mj/submit/${path}`).map((asked) => asked.json)).toEqual([body])
    const [, row] = await drawingsIn(world)
    expect(row).toMatchObject({ action, quota, channel_id: channel, prompt: path === 'modal' ? 'with a hat' : 'a cat' })
    const { used_quota, differences } = await booksOf(world, alice.id)
    expect([used_quota, differences]).toEqual([IMAGINE + quota, []])
  })

  it.each([
    ['change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['change', { taskId: 'mj-1', index: 1 }, 'action_is_required'],
    ['change', { taskId: 'mj-1', action: 'UPSCALE' }, 'index_is_required'],
    ['change', { taskId: 'mj-1', action: 'EAT', index: 1 }, 'unknown_action'],
    ['change', { taskId: 'mj-8', action: 'UPSCALE', index: 1 }, 'task_not_found'],
    ['simple-change', {}, 'content_is_required'],
    ['simple-change', { content: 'mj-1 U5' }, 'content_parse_failed'],
    ['action', { taskId: 'mj-1' }, 'custom_id_is_required'],
    ['action', { taskId: 'mj-1', customId: 'MJ' }, 'unknown_action'],
    ['action', { taskId: 'mj-1', customId: 'MJ::JOB::upsample' }, 'index_parse_failed'],
    ['modal', {}, 'task_id_is_required'],
  ])('%s %j is refused: %s', async (path, body, word) => {
    const { alice } = await drawn()
    const { status, json } = await alice.calls(`/mj/submit/${path}`, body)
    expect([status, json.code, json.description.split(' ')[0]]).toEqual([400, 4, word])
  })

  it('waits for its success where MjActionCheckSuccessEnabled is on, but a window does not', async () => {
    const { world, alice } = await drawn()
    await world.gateway.inner.db.updateTable('midjourneys').set({ status: 'MODAL', progress: '50%' }).execute()
    const change = () => alice.calls('/mj/submit/change', { taskId: 'mj-1', action: 'UPSCALE', index: 1 })
    const early = await change()
    expect([early.status, early.json.description.split(' ')[0]]).toEqual([400, 'task_status_not_success'])
    expect((await alice.calls('/mj/submit/modal', { taskId: 'mj-1' })).status).toBe(200)
    await world.option('MjActionCheckSuccessEnabled', false)
    expect((await change()).status).toBe(200)
  })

  it('is refused where the channel is disabled or gone, and to all other accounts', async () => {
    const { world, alice, channel } = await drawn()
    const bob = await world.user({ quota: GIVEN })
    const change = (person: typeof alice) =>
      person.calls('/mj/submit/change', { taskId: 'mj-1', action: 'UPSCALE', index: 1 })
    expect((await change(bob)).json.description).toContain('task_not_found')
    await world.admin.put('/api/channel', { id: channel, status: 2 })
    expect((await change(alice)).json.description).toContain('channel_disabled')
    await world.admin.delete(`/api/channel/${channel}`)
    expect((await change(alice)).json.description).toContain('get_channel_info_failed')
  })

  it('is refused in a group that does not offer its channel, and at a channel that does not offer the model', async () => {
    const { world, alice, channel } = await drawn()
    await world.option('UserUsableGroups', { default: 'Default', cheap: 'Cheap' })
    await world.option('GroupRatio', { default: 1, cheap: 0.01 })
    const { key } = await world.token(alice, { group: 'cheap' })
    const change = (as?: string) =>
      alice.calls('/mj/submit/change', { taskId: 'mj-1', action: 'REROLL' }, as === undefined ? {} : { key: as })
    expect((await change(key)).json.description).toContain('no_available_channel')
    // Another channel in the group has the model, but not the image.
    await world.channel({ type: 5, models: DRAWS, group: 'cheap' })
    expect((await change(key)).json.description).toContain('no_available_channel')
    await world.admin.put('/api/channel', { id: channel, models: 'mj_imagine' })
    expect((await change()).json.description).toContain('no_available_channel')
    expect((await booksOf(world, alice.id)).used_quota).toBe(IMAGINE)
  })

  it.each([
    { taskId: 'mj-1', customId: 'MJ::Inpaint::1::h::SOLO', CustomId: 'MJ::JOB::upsample::1::h' },
    { taskId: 'mj-1', taskid: 'mj-8', customId: 'MJ::JOB::reroll::0::hash::SOLO' },
    { taskId: 'mj-1', customId: 'MJ::JOB::reroll::0::hash::SOLO', NotifyHook: 'http://127.0.0.1/' },
    { taskId: 'mj-1', customId: 'MJ::JOB::reroll::0::hash::SOLO', accountfilter: { modes: ['FAST'] } },
  ])('takes members in no other case: %j', async (body) => {
    const { vendor, alice } = await drawn()
    const { status } = await alice.calls('/mj/submit/action', body)
    expect([status, vendor.askedAt('/mj/submit/action')]).toEqual([400, []])
  })

  it('uploads and swaps faces: an upload is done at once', async () => {
    const { world, vendor, alice } = await aDrawingFixture()
    vendor.submits({
      body: { code: 1, description: 'ok', result: ['https://cdn.test/a.png', 'https://cdn.test/b.png'] },
    })
    await alice.calls('/mj/submit/upload-discord-images', { base64Array: ['data:image/png;base64,AA=='] })
    vendor.submits(undefined)
    await alice.calls('/mj/insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' })
    expect(await drawingsIn(world)).toMatchObject([
      { action: 'UPLOAD', status: 'SUCCESS', progress: '100%', mj_id: 'https://cdn.test/a.png,https://cdn.test/b.png' },
      { action: 'SWAP_FACE', status: 'NOT_START', quota: 25_000 },
    ])
  })
})
