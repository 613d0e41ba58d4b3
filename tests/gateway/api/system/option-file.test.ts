import { describe, expect, it } from 'vitest'
import { optionKeys, options } from '../../../../shared/options/index.ts'
import { aClient, dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { retries } from '../../../support/retries.ts'
import { aWorld, type Options, type Person } from '../../../support/world.ts'
import { aTurnstile } from '../../accounts/turnstile.ts'
import { secretExamples } from '../../settings/examples.ts'

const exported = async (who: Person) => dataOf(await who.get('/api/option/export'))
const fileOf = (contents: object) => ({ version: 1, product: 'Switchyard', exported_at: 1, options: contents })
const bring = (who: Person, contents: object, more: object = {}) =>
  who.post('/api/option/import', { file: fileOf(contents), ...more })
const takeOver = (who: Person, contents: object, more: object = {}) => bring(who, contents, { dry_run: false, ...more })
const outcomes = (reply: { data: { items: { key: string; outcome: string }[] } }) =>
  Object.fromEntries(reply.data.items.map(({ key, outcome }) => [key, outcome]))
const readAll = async (who: Person) => JSON.stringify(dataOf(await who.get('/api/option')))

const chosen: Options = {
  RetryTimes: 5,
  GroupRatio: { default: 2 },
  Notice: 'Maintenance “tonight”\n<b>22:00</b>',
  WeChatServerAddress: 'https://wechat.example',
  WeChatAuthEnabled: true,
}

describe('a file of all settings (docs/reference/options.md#export-and-import)', () => {
  it('has only values that differ from their default, and no secret', async () => {
    const world = await aWorld({ options: chosen, clock: aClock(1_800_000_000_000) })
    for (const [key, value] of Object.entries(secretExamples)) await world.admin.put('/api/option', { key, value })
    await world.option('RegisterEnabled', true)
    const file = await exported(world.admin)
    expect(file).toEqual({
      version: 1,
      product: 'Switchyard',
      exported_at: 1_800_000_000,
      options: {
        ...file.options,
        RetryTimes: '5',
        GroupRatio: '{"default":2}',
        Notice: chosen.Notice,
        WeChatServerAddress: 'https://wechat.example',
        WeChatAuthEnabled: 'true',
      },
    })
    expect(Object.keys(file.options).toSorted()).toEqual(Object.keys(chosen).toSorted())
    expect(JSON.stringify(file)).not.toContain('hidden-')
  })

  it('gives another installation the same settings', async () => {
    const [here, there] = [await aWorld({ options: chosen }), await aWorld({ options: { Price: 9 } })]
    const file = await exported(here.admin)
    const reply = await there.admin.post('/api/option/import', { file, dry_run: false })
    expect(reply.data.applied).toBe(Object.keys(chosen).length)
    expect((await exported(there.admin)).options).toEqual({ ...file.options, Price: '9' })
    const again = await there.admin.post('/api/option/import', { file, dry_run: false })
    expect([again.success, again.data.applied]).toEqual([true, 0])
    const { items } = dataOf(await there.admin.get('/api/option/history?page_size=100'))
    expect(items.filter(({ origin }: { origin: string }) => origin === 'import')).toHaveLength(5)
  })

  it('takes every option that there is', async () => {
    const { admin } = await aWorld()
    const all = Object.fromEntries(
      dataOf(await admin.get('/api/option')).map((row: Record<'key' | 'value', string>) => [row.key, row.value]),
    )
    const reply = await bring(admin, all)
    expect(Object.keys(outcomes(reply))).toHaveLength(optionKeys.filter((key) => !options[key].secret).length)
    expect(new Set(Object.values(outcomes(reply)))).toEqual(new Set(['same']))
  })
})

describe('the dry run of an import', () => {
  it('reports what would happen to each, in the language of the reader, and changes nothing', async () => {
    const { admin, url } = await aWorld()
    const before = await readAll(admin)
    const reply = await bring(admin, {
      RetryTimes: '7',
      DrawingEnabled: false,
      GroupRatio: { default: 1, vip: 3 },
      Price: '7.30',
      NoSuchOption: 'canary',
      ['x'.repeat(500)]: 1,
      SMTPToken: 'canary',
      ModelRatio: '{"gpt-4o":',
      QuotaForNewUser: -5,
      Footer: null,
      GitHubOAuthEnabled: 'true',
      Notice: 'x'.repeat(1_000_001),
    })
    expect(outcomes(reply)).toEqual({
      RetryTimes: 'change',
      DrawingEnabled: 'change',
      GroupRatio: 'change',
      Price: 'same',
      NoSuchOption: 'unknown',
      ['x'.repeat(200)]: 'unknown',
      SMTPToken: 'secret',
      ModelRatio: 'refused',
      QuotaForNewUser: 'refused',
      Footer: 'refused',
      GitHubOAuthEnabled: 'refused',
      Notice: 'refused',
    })
    const of = (key: string) => reply.data.items.find((item: { key: string }) => item.key === key)
    expect(of('RetryTimes')).toEqual({
      key: 'RetryTimes',
      outcome: 'change',
      before: retries.usualText,
      after: '7',
      why: '',
      needs_choice: false,
    })
    expect(of('GroupRatio')).toMatchObject({ before: '{"default":1,"vip":1,"svip":1}', after: '{"default":1,"vip":3}' })
    expect(of('ModelRatio').why).toBe('Model ratio, line 1, column 11: This is not valid JSON')
    expect(of('Footer').why).toMatch(/^Footer: /)
    expect(of('GitHubOAuthEnabled').why).toMatch(/^Cannot turn on/)
    expect(JSON.stringify(reply.data)).not.toContain('canary')
    expect([reply.data.applied, await readAll(admin)]).toEqual([0, before])
    const zh = aClient(url, { ...admin.identity(), 'accept-language': 'zh-CN' })
    const told = await zh.post('/api/option/import', { file: fileOf({ ModelRatio: '{' }) })
    expect(told.data.items[0].why).toMatch(/JSON/)
    expect(told.data.items[0].why).not.toBe('This is not valid JSON')
  })

  it('refuses a file that is not a settings file, one of a newer release, and one that is too large', async () => {
    const { admin } = await aWorld()
    const send = (file: unknown) => admin.post('/api/option/import', { file })
    expect((await send({ ...fileOf({}), product: 'Other' })).message).toMatch(/not a settings file of Switchyard/)
    expect((await send({ ...fileOf({}), version: 2 })).message).toMatch(/newer release/)
    for (const file of [undefined, null, [], 'x', {}, { ...fileOf({}), options: [] }])
      expect((await send(file)).message).toMatch(/^Invalid/)
    expect((await admin.post('/api/option/import', { options: {} })).message).toBe('Invalid input: file: is missing')
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`key${index}`, '']))
    expect((await send(fileOf(many))).message).toMatch(/at most 2000 entries/)
    expect((await send(fileOf({ Notice: 'x'.repeat(10_000_000) }))).message).toMatch(/4 MiB/)
    const large = await send(fileOf({ Notice: 'x'.repeat(999_999), About: 'x'.repeat(999_999) }))
    expect(outcomes(large)).toEqual({ Notice: 'change', About: 'change' })
  })
})

describe('an import', () => {
  it('applies all named settings or none; without names all that can be applied, with the reason for each of the rest', async () => {
    const { admin, gateway } = await aWorld()
    const { settings } = gateway.inner
    const contents = { RetryTimes: 7, ModelRatio: '{"gpt-4o":', NoSuchOption: 'x', SMTPToken: 'canary' }
    const refused = await takeOver(admin, contents, { keys: Object.keys(contents) })
    expect(refused.message).toBe(
      'Nothing was imported because of ModelRatio. Model ratio, line 1, column 11: This is not valid JSON',
    )
    expect(settings.get('RetryTimes')).toBe(retries.usual)
    const keys = ['RetryTimes', 'NoSuchOption', 'SMTPToken']
    expect((await takeOver(admin, contents, { keys })).data.applied).toBe(1)
    expect([settings.get('RetryTimes'), settings.get('SMTPToken')]).toEqual([7, ''])
    const rest = await takeOver(admin, { ...contents, RetryTimes: 8 })
    expect([rest.success, rest.data.applied, settings.get('RetryTimes')]).toEqual([true, 1, 8])
    expect(outcomes(rest)).toMatchObject({ RetryTimes: 'change', ModelRatio: 'refused', SMTPToken: 'secret' })
  })

  it('brings back the file of an installation whose flags need a secret, but for those flags', async () => {
    const secret = { GitHubClientId: 'id', GitHubClientSecret: 'hidden', GitHubOAuthEnabled: true, RetryTimes: 7 }
    const [here, there] = [await aWorld({ options: secret }), await aWorld()]
    const file = await exported(here.admin)
    const reply = dataOf(await there.admin.post('/api/option/import', { file, dry_run: false }))
    expect(reply.applied).toBe(2)
    expect(reply.items).toContainEqual(
      expect.objectContaining({
        key: 'GitHubOAuthEnabled',
        outcome: 'refused',
        why: expect.stringContaining('secret'),
      }),
    )
    expect(await exported(there.admin)).toMatchObject({ options: { GitHubClientId: 'id', RetryTimes: '7' } })
  })

  it('changes the address and units of balances only if they are named explicitly', async () => {
    const { admin, gateway, url } = await aWorld()
    const contents = { QuotaPerUnit: 1000, ServerAddress: url, RetryTimes: 7 }
    const { items } = dataOf(await bring(admin, contents))
    expect(items.map(({ needs_choice }: { needs_choice: boolean }) => needs_choice)).toEqual([true, true, false])
    expect((await takeOver(admin, contents)).data.applied).toBe(1)
    expect(gateway.inner.settings.get('QuotaPerUnit')).toBe(500_000)
    expect((await takeOver(admin, contents, { keys: ['QuotaPerUnit'] })).data.applied).toBe(1)
    expect(gateway.inner.settings.get('QuotaPerUnit')).toBe(1000)
  })

  it('is a dry run unless requested otherwise', async () => {
    const { admin, gateway } = await aWorld()
    await bring(admin, { RetryTimes: 7 })
    expect(gateway.inner.settings.get('RetryTimes')).toBe(retries.usual)
  })

  it('saves nothing if an option has been changed since the dry run', async () => {
    const world = await aWorld()
    const other = await world.user({ role: 10 })
    const contents = { RetryTimes: 7, Price: 8 }
    const base = Object.fromEntries(
      (await bring(world.admin, contents)).data.items.map((item: Record<string, string>) => [item.key, item.before]),
    )
    await other.put('/api/option', { key: 'RetryTimes', value: 9 })
    const refused = await takeOver(world.admin, contents, { base })
    expect(refused.body).toMatchObject({
      success: false,
      conflicts: [{ key: 'RetryTimes', value: '9', changed_by: other.username }],
    })
    const { settings } = world.gateway.inner
    expect([settings.get('RetryTimes'), settings.get('Price')]).toEqual([9, 7.3])
    expect((await takeOver(world.admin, contents, { base: { ...base, RetryTimes: '9' } })).success).toBe(true)
  })

  it('reaches nothing that its author could not change by hand', async () => {
    const world = await aWorld({ options: { SMTPServer: 'one.example' } })
    const admin = await world.user({ role: 10 })
    const contents = {
      SMTPServer: 'two.example',
      'oidc.token_endpoint': 'https://two.example',
      PasswordLoginEnabled: 'false',
    }
    const dry = await bring(admin, { ...contents, RetryTimes: 7 })
    expect(outcomes(dry)).toEqual({
      SMTPServer: 'refused',
      'oidc.token_endpoint': 'refused',
      PasswordLoginEnabled: 'refused',
      RetryTimes: 'change',
    })
    expect(dry.data.items[0].why).toBe('Only the super administrator can change this setting: logging in depends on it')
    for (const [key, value] of Object.entries(contents))
      expect((await takeOver(admin, { RetryTimes: 7, [key]: value }, { keys: ['RetryTimes', key] })).message).toContain(
        `Nothing was imported because of ${key}`,
      )
    const keys = ['PasswordLoginEnabled']
    expect((await takeOver(world.admin, { PasswordLoginEnabled: false }, { keys })).message).toMatch(
      /cannot be turned off/,
    )
    const { settings } = world.gateway.inner
    expect([settings.get('SMTPServer'), settings.get('RetryTimes'), settings.get('PasswordLoginEnabled')]).toEqual([
      'one.example',
      retries.usual,
      true,
    ])
  })

  it('cannot switch on the human check, nor replace its key while it is on, since that is not proven', async () => {
    const { url } = await aTurnstile(() => JSON.stringify({ success: true }))
    const keys = { TurnstileSiteKey: 'site-1', TurnstileSecretKey: 'secret-1' }
    const { admin, gateway } = await aWorld({ options: keys, verifyUrl: url })
    const contents = { TurnstileCheckEnabled: true, TurnstileSiteKey: 'site-2' }
    const dry = await bring(admin, contents)
    expect(new Set(Object.values(outcomes(dry)))).toEqual(new Set(['refused']))
    const asked = await admin.post('/api/option/import?turnstile=token', {
      file: fileOf(contents),
      dry_run: false,
      keys: Object.keys(contents),
    })
    expect(asked.message).toMatch(/complete a human verification/)
    const { settings } = gateway.inner
    expect((await takeOver(admin, contents)).data.applied).toBe(0)
    expect([settings.get('TurnstileCheckEnabled'), settings.get('TurnstileSiteKey')]).toEqual([false, 'site-1'])
  })

  it('is, like the file itself, only for operators', async () => {
    const world = await aWorld({ config: { OPTION_MIN_ROLE: '100' } })
    for (const who of [await world.user({ role: 10 }), await world.user()])
      for (const reply of [await who.get('/api/option/export'), await takeOver(who, { RetryTimes: 7 })])
        expect(reply.message).toBe('You do not have permission to do this')
    expect((await world.visitor.get('/api/option/export')).status).toBe(401)
    expect(world.gateway.inner.settings.get('RetryTimes')).toBe(retries.usual)
  })

  it('treats names as plain names: no prototype is reached', async () => {
    const { admin, gateway } = await aWorld()
    const body = `{"dry_run":false,"file":{"version":1,"product":"Switchyard","options":{"__proto__":"x","constructor":"y","RetryTimes":7}}}`
    const response = await fetch(`${gateway.url}/api/option/import`, {
      method: 'POST',
      headers: { ...admin.identity(), 'content-type': 'application/json' },
      body,
    })
    const { data } = (await response.json()) as { data: { applied: number } }
    expect([data.applied, gateway.inner.settings.get('RetryTimes')]).toEqual([1, 7])
  })
})
