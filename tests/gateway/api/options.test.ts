import { describe, expect, it } from 'vitest'
import { logType } from '../../../shared/enums.ts'
import { options } from '../../../shared/options/index.ts'
import { aClient, setupPath, signedIn } from '../../support/client.ts'
import { retries } from '../../support/retries.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'
import { aFreshGateway, rootFields } from './fresh-gateway.ts'

const put = (who: Person, key: string, value: unknown) => who.put('/api/option', { key, value })
const read = async (who: Person, key: string) =>
  (await who.get('/api/option')).data.find((row: { key: string }) => row.key === key)?.value
const stored = (world: World, key: string) =>
  world.gateway.inner.db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()

describe('options (docs/reference/options.md#writing, docs/reference/options.md#areas)', () => {
  it('are read and written by administrators, as text, number or switch', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    for (const [key, value, text] of [
      ['TopUpLink', 'https://shop.example', 'https://shop.example'],
      ['RetryTimes', 5, '5'],
      ['DrawingEnabled', false, 'false'],
    ] as const) {
      expect(await put(admin, key, value)).toMatchObject({ status: 200, success: true, data: null })
      expect(await read(admin, key)).toBe(text)
      expect(await stored(world, key)).toEqual({ value: text })
    }
    expect((await world.visitor.get('/api/status')).data).toMatchObject({
      top_up_link: 'https://shop.example',
      enable_drawing: false,
    })
  })

  it('are only for root where OPTION_MIN_ROLE requires it', async () => {
    const world = await aWorld({ config: { OPTION_MIN_ROLE: '100' } })
    const admin = await world.user({ role: 10 })
    expect((await admin.get('/api/option')).success).toBe(false)
    expect((await put(admin, 'RetryTimes', 5)).success).toBe(false)
    expect((await put(world.admin, 'RetryTimes', 5)).success).toBe(true)
  })

  it('keep the stored value in force when a new one is refused', async () => {
    const world = await aWorld()
    await put(world.admin, 'ModelRatio', '{"gpt-4o":1.25}')
    for (const [key, value, message] of [
      ['ModelRatio', '{"gpt-4o":', 'Model ratio, line 1, column 11: This is not valid JSON'],
      ['ModelRatio', '{"gpt-4o":-1}', /at least 0/],
      ['ModelRatio', '{"gpt-4o":1e999}', /number/],
      ['NoSuchOption', 'x', 'Unknown option NoSuchOption'],
      ['GitHubOAuthEnabled', 'true', /fill in .* first/],
      ['RetryTimes', 'many', `Retries on failure: Enter a whole number from 0 to ${retries.max}`],
      ['DrawingEnabled', 'yes', 'The value must be true or false'],
    ] as const) {
      const reply = await put(world.admin, key, value)
      expect(reply, key).toMatchObject({ status: 200, success: false })
      expect(reply.message).toMatch(message)
    }
    expect(await read(world.admin, 'ModelRatio')).toBe('{"gpt-4o":1.25}')
    expect(await stored(world, 'ModelRatio')).toEqual({ value: '{"gpt-4o":1.25}' })
    expect(await stored(world, 'NoSuchOption')).toBeUndefined()
  })

  it('reset only the model ratios to the built-in ones', async () => {
    const world = await aWorld()
    const before = await read(world.admin, 'ModelRatio')
    await put(world.admin, 'ModelRatio', '{"mine":9}')
    await put(world.admin, 'ModelPrice', '{"mine":9}')
    expect(await world.admin.post('/api/option/rest_model_ratio')).toMatchObject({
      success: true,
      message: 'Model ratios were reset',
    })
    expect(await read(world.admin, 'ModelRatio')).toBe(before)
    expect(await read(world.admin, 'ModelPrice')).toBe('{"mine":9}')
  })
})

describe('secrets', () => {
  const secrets = Object.entries(options).filter(([, { secret }]) => secret === true)

  it('are sealed in the table and never answered, not even to root', async () => {
    const world = await aWorld()
    for (const [key] of secrets) expect((await put(world.admin, key, `canary-${key}`)).success, key).toBe(true)
    for (const path of ['/api/option', '/api/status', '/api/log?type=3'])
      expect(JSON.stringify((await world.admin.get(path)).body), path).not.toContain('canary')
    const rows = await world.gateway.inner.db.selectFrom('options').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('canary')
    const listed: { key: string }[] = (await world.admin.get('/api/option')).data
    expect(listed.filter(({ key }) => secrets.some(([secret]) => secret === key))).toEqual([])
  })

  it('come back after a restart, and one that cannot be opened counts as empty', async () => {
    const gateway = await aFreshGateway()
    await aClient(gateway.url).post(setupPath(gateway.setupLink), rootFields)
    const root = await signedIn(gateway.url, 'root', rootFields.password)
    for (const key of ['SMTPToken', 'WorkerValidKey']) await root.put('/api/option', { key, value: 'canary' })
    const { db } = gateway.inner
    const { value } = await db
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'SMTPToken')
      .executeTakeFirstOrThrow()
    await db.updateTable('options').set({ value }).where('key', '=', 'WorkerValidKey').execute()
    const { settings } = (await gateway.restart()).inner
    expect(settings.get('SMTPToken')).toBe('canary')
    expect(settings.get('WorkerValidKey')).toBe('')
  })

  it('can be cleared', async () => {
    const world = await aWorld()
    await put(world.admin, 'SMTPToken', 'canary')
    await put(world.admin, 'SMTPToken', '')
    expect(world.gateway.inner.settings.get('SMTPToken')).toBe('')
    expect(await stored(world, 'SMTPToken')).toEqual({ value: '' })
  })
})

describe('the audit row of a change (docs/reference/options.md#writing)', () => {
  it('names the option and, for administrators only, the actor; never the value', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    await put(admin, 'TopUpLink', 'https://canary.example')
    await put(admin, 'RetryTimes', 'refused')
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db.selectFrom('logs').selectAll().where('type', '=', logType.manage).execute()
    expect(rows).toMatchObject([{ content: expect.stringContaining('TopUpLink'), username: '', user_id: 0 }])
    expect(JSON.parse(rows[0]?.other ?? '')).toEqual({
      admin_info: { option: 'TopUpLink', actor: { id: admin.id, username: admin.username } },
    })
    expect(JSON.stringify(rows)).not.toContain('canary')
  })

  it('describes it in the language of the user who made the change', async () => {
    const world = await aWorld()
    await put(world.admin, 'RetryTimes', 5)
    await world.admin.post('/api/option/rest_model_ratio')
    const zh = aClient(world.url, { ...world.admin.identity(), 'accept-language': 'zh-CN' })
    await zh.put('/api/option', { key: 'DefaultCollapseSidebar', value: true })
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db.selectFrom('logs').select('content').where('type', '=', logType.manage).execute()
    expect(rows.map(({ content }) => content)).toEqual([
      'root changed the option “Retries on failure” (RetryTimes)',
      'root reset the option “Model ratio” (ModelRatio) to its default',
      'root 修改了配置项“默认收起侧边栏”（DefaultCollapseSidebar）',
    ])
  })
})

describe('the root account and the options it depends on (docs/reference/options.md#lockout-protection)', () => {
  const message = 'Only the super administrator can change this setting: logging in depends on it'

  it('stays out of reach of an administrator, and so do peers: providers, mail, its password sign-in', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    expect((await put(admin, 'PasswordLoginEnabled', false)).message).toBe(message)
    for (const [key, value] of [
      ['oidc.token_endpoint', 'https://two.example'],
      ['oidc.client_secret', 'two'],
      ['SMTPServer', 'two.example'],
      ['ServerAddress', 'https://two.example'],
      ['TelegramBotToken', 'a-token'],
      ['GitHubClientSecret', 'two'],
      ['WeChatServerAddress', 'https://two.example'],
    ]) {
      expect((await put(admin, key!, value)).message, key).toBe(message)
      expect((await put(world.admin, key!, value)).success, key).toBe(true)
    }
    expect((await put(admin, 'TelegramBotName', 'a_bot')).success).toBe(true)
  })

  it('keeps its password login until root has logged in by another method, which then stays on', async () => {
    const world = await aWorld()
    const { db } = world.gateway.inner
    const last = /must first have logged in another way/
    const turnOff = async (value: unknown = false) => (await put(world.admin, 'PasswordLoginEnabled', value)).message
    expect(await turnOff()).toMatch(last)
    await put(world.admin, 'TelegramBotToken', '1:token')
    expect((await put(world.admin, 'TelegramOAuthEnabled', true)).success).toBe(true)
    await db.updateTable('users').set({ telegram_id: '7' }).where('id', '=', world.admin.id).execute()
    for (const value of [false, 'false', '0', '']) expect(await turnOff(value), String(value)).toBeTruthy()
    expect(await turnOff()).toMatch(last)
    const came = { user_id: world.admin.id, created_at: 1, way: 'telegram', ip: '', user_agent: '' }
    await db
      .insertInto('sign_ins')
      .values({ ...came, succeeded: 0 })
      .execute()
    expect(await turnOff()).toMatch(last)
    await db
      .insertInto('sign_ins')
      .values({ ...came, succeeded: 1 })
      .execute()
    const both = [
      { key: 'PasswordLoginEnabled', value: false },
      { key: 'TelegramOAuthEnabled', value: false },
    ]
    expect((await world.admin.put('/api/option/batch', { changes: both })).message).toMatch(last)
    expect((await put(world.admin, 'PasswordLoginEnabled', false)).success).toBe(true)
    expect((await world.visitor.post('/api/user/login', { username: 'root', password: PASSWORD })).message).toMatch(
      /turned off/,
    )
    expect((await put(world.admin, 'TelegramOAuthEnabled', false)).message).toMatch(last)
    expect((await world.admin.delete('/api/user/self/binding/telegram')).message).toMatch(/another way to log in/)
    expect((await put(world.admin, 'PasswordLoginEnabled', true)).success).toBe(true)
    expect((await put(world.admin, 'TelegramOAuthEnabled', false)).success).toBe(true)
  })

  it('can be allowed to log in by password again where that was off', async () => {
    const world = await aWorld()
    await world.gateway.inner.settings.set('PasswordLoginEnabled', 'false')
    expect((await put(world.admin, 'PasswordLoginEnabled', false)).success).toBe(true)
    expect((await put(world.admin, 'PasswordLoginEnabled', true)).success).toBe(true)
  })
})
