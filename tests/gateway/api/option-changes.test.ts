import { describe, expect, it } from 'vitest'
import { logType } from '../../../shared/enums.ts'
import { optionKeys, options } from '../../../shared/options/index.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aGate } from '../../support/gates.ts'
import { retries } from '../../support/retries.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { aTurnstile } from '../accounts/turnstile.ts'
import { ask } from './raw.ts'

type Wanted = { key: string; value: unknown; base?: string }

const batch = (who: Person, changes: Wanted[], turnstile?: string) =>
  who.put(`/api/option/batch${turnstile === undefined ? '' : `?turnstile=${turnstile}`}`, { changes })
const reset = (who: Person, key: string, base?: string) => who.post('/api/option/reset', { key, base })
const stateOf = async (who: Person, key: string) =>
  dataOf(await who.get('/api/option/state')).find((row: { key: string }) => row.key === key)
const readAll = async (who: Person): Promise<Record<string, string>> =>
  Object.fromEntries(
    dataOf(await who.get('/api/option')).map(({ key, value }: { key: string; value: string }) => [key, value]),
  )

async function auditRows(world: World) {
  const { ledger, db } = world.gateway.inner
  await ledger.flush()
  return db.selectFrom('logs').select(['content', 'other']).where('type', '=', logType.manage).orderBy('id').execute()
}

describe('several options in one call (docs/reference/options.md#writing)', () => {
  it('are saved together, each with its audit row', async () => {
    const world = await aWorld()
    const { admin } = world
    const changes = [
      { key: 'WorkerValidKey', value: 'a-key' },
      { key: 'WorkerUrl', value: 'https://worker.example/' },
      { key: 'RetryTimes', value: 5 },
    ]
    expect(await batch(admin, changes)).toMatchObject({ status: 200, success: true, data: null })
    const saved = { WorkerUrl: 'https://worker.example', RetryTimes: '5' }
    expect(await readAll(admin)).toMatchObject(saved)
    expect((await auditRows(world)).map(({ other }) => JSON.parse(other))).toEqual(
      changes.map(({ key }) => ({ admin_info: { option: key, actor: { id: admin.id, username: admin.username } } })),
    )
  })

  it('are all left unchanged where one is refused, and nothing is logged', async () => {
    const world = await aWorld()
    const good = { key: 'RetryTimes', value: 5 }
    const before = await readAll(world.admin)
    for (const [bad, why] of [
      [{ key: 'ModelRatio', value: '{"gpt-4o":' }, 'This is not valid JSON'],
      [{ key: 'Price', value: -1 }, /greater than 0/],
      [{ key: 'NoSuchOption', value: 'x' }, 'Unknown option NoSuchOption'],
      [{ key: 'GitHubOAuthEnabled', value: true }, /fill in .* first/],
      [{ key: 'RetryTimes', value: 6 }, /Each option can be given only once/],
      [{ key: 'PasswordLoginEnabled', value: false }, /Password login cannot be turned off/],
      [{ key: 'Notice', value: 'x'.repeat(1_000_001) }, /changes.1.value/],
    ] as const) {
      const reply = await batch(world.admin, [good, bad])
      expect(reply, bad.key).toMatchObject({ status: 200, success: false })
      expect(reply.message).toMatch(why)
    }
    expect((await batch(world.admin, [])).success).toBe(false)
    const many = Array.from({ length: 51 }, (_, index) => ({ key: `key${index}`, value: '' }))
    expect((await batch(world.admin, many)).success).toBe(false)
    expect((await batch(world.admin, [{ key: 'Notice', value: 'x'.repeat(10_000_000) }])).message).toMatch(/4 MiB/)
    expect(await readAll(world.admin)).toEqual(before)
    expect(await auditRows(world)).toEqual([])
  })

  it('are only for operators', async () => {
    const world = await aWorld({ config: { OPTION_MIN_ROLE: '100' } })
    const admin = await world.user({ role: 10 })
    for (const reply of [
      await batch(admin, [{ key: 'RetryTimes', value: 5 }]),
      await reset(admin, 'RetryTimes'),
      await admin.get('/api/option/state'),
    ])
      expect(reply.message).toBe('You do not have permission to do this')
    expect(world.gateway.inner.settings.get('RetryTimes')).toBe(retries.usual)
  })
})

describe('settings that an administrator cannot change by any method (docs/reference/options.md#lockout-protection)', () => {
  const forbidden = 'Only the super administrator can change this setting: logging in depends on it'

  it('are those that logging in depends on: none of them changes in a batch or by a reset', async () => {
    const world = await aWorld({ options: { 'oidc.token_endpoint': 'https://one.example', SMTPServer: 'one.example' } })
    const admin = await world.user({ role: 10 })
    for (const [key, value] of [
      ['oidc.token_endpoint', 'https://two.example'],
      ['oidc.client_secret', 'two'],
      ['SMTPServer', 'two.example'],
      ['ServerAddress', world.url],
      ['PasswordLoginEnabled', 'false'],
    ] as const) {
      expect(
        (
          await batch(admin, [
            { key: 'RetryTimes', value: 5 },
            { key, value },
          ])
        ).message,
        key,
      ).toBe(forbidden)
      if (key !== 'PasswordLoginEnabled') expect((await reset(admin, key)).message, key).toBe(forbidden)
    }
    const { settings } = world.gateway.inner
    expect([settings.get('RetryTimes'), settings.get('oidc.token_endpoint'), settings.get('SMTPServer')]).toEqual([
      retries.usual,
      'https://one.example',
      'one.example',
    ])
  })

  it('include the human check: a switch and its keys in one batch are proven by the keys that would be in force', async () => {
    const pairs: Record<string, string> = { 'site-1': 'secret-1', 'site-2': 'secret-2' }
    const { url } = await aTurnstile((form) =>
      JSON.stringify({ success: pairs[form.get('response') ?? ''] === form.get('secret') }),
    )
    const options = { TurnstileSiteKey: 'site-1', TurnstileSecretKey: 'secret-1' }
    const { admin, gateway } = await aWorld({ options, verifyUrl: url })
    const { settings } = gateway.inner
    const on = { key: 'TurnstileCheckEnabled', value: true }
    const off = { key: 'TurnstileCheckEnabled', value: false }
    const keys = (site: string, secret: string) => [
      { key: 'TurnstileSiteKey', value: site },
      { key: 'TurnstileSecretKey', value: secret },
    ]
    for (const changes of [
      [on, ...keys('site-2', 'secret-2')],
      [...keys('site-2', 'secret-2'), on],
    ]) {
      expect((await batch(admin, changes)).message).toMatch(/complete a human verification/)
      expect((await batch(admin, changes, 'site-1')).message).toMatch(/Check both keys/)
    }
    expect((await batch(admin, [on, ...keys('site-1', 'wrong')], 'site-1')).message).toMatch(/Check both keys/)
    expect((await batch(admin, [on, ...keys('', '')], 'site-1')).message).toMatch(/fill in .* first/)
    expect(settings.get('TurnstileCheckEnabled')).toBe(false)
    expect((await batch(admin, [on, ...keys('site-2', 'secret-2')], 'site-2')).success).toBe(true)
    expect((await reset(admin, 'TurnstileSecretKey')).message).toMatch(/Turn it off before you remove a key/)
    expect((await batch(admin, keys('', ''))).message).toMatch(/Turn it off before you remove a key/)
    expect((await batch(admin, [off, ...keys('', '')])).success).toBe(true)
  })

  it('include the address the console is open at', async () => {
    const { admin, url, gateway } = await aWorld()
    const headers = { ...admin.identity(), host: 'gate.example', 'content-type': 'application/json' }
    const send = (method: string, path: string, body: object) =>
      ask(`${url}/api/option${path}`, { method, headers, body: JSON.stringify(body) })
    const { settings } = gateway.inner
    await settings.set('ServerAddress', 'https://gate.example')
    const changes = [
      { key: 'Notice', value: 'x' },
      { key: 'ServerAddress', value: 'https://gaet.example' },
    ]
    for (const { json } of [
      await send('PUT', '/batch', { changes }),
      await send('POST', '/reset', { key: 'ServerAddress' }),
    ])
      expect(json).toMatchObject({ success: false, message: expect.stringContaining('gate.example') })
    expect([settings.get('Notice'), settings.get('ServerAddress')]).toEqual(['', 'https://gate.example'])
  })
})

describe('the longest value that an option may have', () => {
  it('is changed over the one before it, and by one that is longer nothing is', async () => {
    const { admin, gateway } = await aWorld()
    const [first, second] = ['x'.repeat(1_000_000), 'y'.repeat(1_000_000)]
    const put = (value: string, base: string) => admin.put('/api/option', { key: 'About', value, base })
    expect((await put(first, '')).success).toBe(true)
    expect((await put(second, first)).success).toBe(true)
    expect((await put(`${second}y`, second)).message).toMatch(/value/)
    expect((await put('x'.repeat(10_000_000), second)).message).toMatch(/4 MiB/)
    expect(gateway.inner.settings.get('About')).toBe(second)
  })
})

describe('the group of an account (docs/reference/accounts.md#groups)', () => {
  it('keeps its ratio while an account is in it, for either direction of a change; default always keeps it', async () => {
    const world = await aWorld()
    const { admin } = world
    const ratios = { default: 1, vip: 3, team: 2 }
    await world.option('GroupRatio', ratios)
    const member = await world.user({ group: 'vip' })
    const put = (value: object) => admin.put('/api/option', { key: 'GroupRatio', value: JSON.stringify(value) })
    const file = { product: 'Switchyard', version: 1, options: { GroupRatio: { default: 1 } } }
    for (const refused of [
      await put({ default: 1 }),
      await batch(admin, [{ key: 'GroupRatio', value: '{"default":1}' }]),
      await admin.post('/api/option/import', { file, dry_run: false, keys: ['GroupRatio'] }),
    ]) {
      expect(refused).toMatchObject({ success: false })
      expect(refused.message).toMatch(/Accounts are in these groups, so they keep their ratio: vip\. Move/)
    }
    for (const value of [{}, { vip: 3, team: 2 }])
      expect((await put(value)).message).toMatch(/The group default needs a ratio/)
    expect(JSON.parse((await readAll(admin)).GroupRatio ?? '')).toEqual(ratios)
    expect((await put({ default: 1, vip: 4 })).success, 'nobody is in team').toBe(true)
    await world.gateway.inner.db.updateTable('users').set({ group: '' }).where('id', '=', member.id).execute()
    expect((await put({ default: 1 })).success, 'nobody is in vip any more').toBe(true)
  })
})

describe('two administrators at once (docs/reference/options.md#writing)', () => {
  it('lose nothing silently: the second is shown what was stored meanwhile, by whom and when', async () => {
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock })
    const [one, two] = [await world.user({ role: 10 }), await world.user({ role: 10 })]
    const base = (await readAll(one)).GroupRatio ?? ''
    clock.advanceSeconds(90)
    expect((await one.put('/api/option', { key: 'GroupRatio', value: '{"default":2}', base })).success).toBe(true)
    const conflict = { key: 'GroupRatio', value: '{"default":2}', changed_by: one.username, changed_at: 1_800_000_090 }
    const mine = { key: 'GroupRatio', value: '{"default":3}', base }
    for (const refused of [
      await two.put('/api/option', mine),
      await batch(two, [{ key: 'RetryTimes', value: 5, base: retries.usualText }, mine]),
      await reset(two, 'GroupRatio', base),
    ]) {
      expect(refused.body).toEqual({
        success: false,
        message: 'Nothing was saved, because these settings were changed in the meantime: Group ratio',
        conflicts: [conflict],
      })
    }
    expect(await readAll(one)).toMatchObject({ GroupRatio: '{"default":2}', RetryTimes: retries.usualText })
    expect((await two.put('/api/option', { ...mine, base: conflict.value })).success).toBe(true)
    expect((await auditRows(world)).map(({ other }) => JSON.parse(other).admin_info.actor.id)).toEqual([one.id, two.id])
  })

  it('see of a secret only when it was changed, and cannot find out its value by trying', async () => {
    const clock = aClock(1_800_000_000_000)
    const { admin, gateway } = await aWorld({ clock })
    const put = (value: string, base: string) => admin.put('/api/option', { key: 'SMTPToken', value, base })
    expect((await stateOf(admin, 'SMTPToken')).changed_at).toBe(0)
    expect((await put('canary-1', '0')).success).toBe(true)
    clock.advanceSeconds(60)
    for (const base of ['0', 'canary-1', 'wrong', '']) {
      const refused = await put('canary-2', base)
      expect(refused.body.conflicts).toEqual([
        { key: 'SMTPToken', value: '', changed_by: 'root', changed_at: 1_800_000_000 },
      ])
    }
    expect(gateway.inner.settings.get('SMTPToken')).toBe('canary-1')
    expect((await put('canary-2', '1800000000')).success).toBe(true)
  })

  it('are serialized: of many saves over one base, only one is accepted', async () => {
    const { admin } = await aWorld()
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        admin.put('/api/option', { key: 'RetryTimes', value: index % 2 ? 7 : 8, base: retries.usualText }),
      ),
    )
    expect(saves.filter(({ success }) => success)).toHaveLength(1)
  })

  it('are serialized with an import, too: neither overwrites the other', async () => {
    const { admin, gateway } = await aWorld()
    const { settings, db } = gateway.inner
    const gate = aGate()
    gate.close()
    const row = { key: 'RetryTimes', value: '5', updated_at: 1, updated_by: 'import' }
    const importing = settings.takeOver([{ key: 'RetryTimes', before: retries.usualText, value: '5' }], async () => {
      await gate.pass()
      await db.insertInto('options').values(row).execute()
      return 'written'
    })
    const saving = admin.put('/api/option', { key: 'RetryTimes', value: '7', base: retries.usualText })
    expect((await admin.get('/api/option/state')).success).toBe(true)
    gate.open()
    expect(await importing).toBe('written')
    expect((await saving).body.conflicts).toMatchObject([{ key: 'RetryTimes', value: '5' }])
    const late = settings.takeOver(
      [{ key: 'RetryTimes', before: retries.usualText, value: '9' }],
      async () => 'written',
    )
    expect([await late, settings.get('RetryTimes')]).toEqual([undefined, 5])
  })
})

describe('the state of options (docs/reference/options.md#writing)', () => {
  it('is reported for all of them, secrets included: at the default, filled in, changed by whom and when', async () => {
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock })
    const { admin } = world
    const rows: { key: string }[] = dataOf(await admin.get('/api/option/state'))
    expect(rows.map(({ key }) => key)).toEqual(optionKeys)
    const untouched = { is_default: true, changed_at: 0, changed_by: '' }
    expect(await stateOf(admin, 'WorkerValidKey')).toEqual({ key: 'WorkerValidKey', is_set: false, ...untouched })
    expect(await stateOf(admin, 'ModelRatio')).toEqual({ key: 'ModelRatio', is_set: true, ...untouched })
    clock.advanceSeconds(7)
    const stamp = { changed_at: 1_800_000_007, changed_by: admin.username }
    await batch(admin, [
      { key: 'WorkerValidKey', value: 'canary' },
      { key: 'ModelRatio', value: '{}' },
    ])
    expect(await stateOf(admin, 'WorkerValidKey')).toEqual({
      key: 'WorkerValidKey',
      is_default: false,
      is_set: true,
      ...stamp,
    })
    expect(await stateOf(admin, 'ModelRatio')).toEqual({
      key: 'ModelRatio',
      is_default: false,
      is_set: false,
      ...stamp,
    })
    expect(JSON.stringify((await admin.get('/api/option/state')).body)).not.toContain('canary')
    expect(await stateOf(admin, 'SelfUseModeEnabled')).toMatchObject({ changed_by: 'root' })
  })

  it('goes back to the default with one call, which is logged', async () => {
    const world = await aWorld()
    const before = await readAll(world.admin)
    await batch(world.admin, [
      { key: 'ModelRatio', value: '{"mine":3}' },
      { key: 'SMTPToken', value: 'canary' },
    ])
    for (const key of ['ModelRatio', 'SMTPToken']) {
      expect((await reset(world.admin, key)).success).toBe(true)
      expect(await stateOf(world.admin, key)).toMatchObject({ is_default: true })
    }
    expect(await readAll(world.admin)).toEqual(before)
    expect((await reset(world.admin, 'NoSuchOption')).message).toBe('Unknown option NoSuchOption')
    expect((await auditRows(world)).at(-1)?.content).toMatch(
      /^root reset the option “.*” \(SMTPToken\) to its default$/,
    )
  })

  it('is the same after every option was reset', async () => {
    const { admin } = await aWorld()
    for (const key of Object.keys(options)) expect((await reset(admin, key)).success, key).toBe(true)
    expect(dataOf(await admin.get('/api/option/state')).every((row: { is_default: boolean }) => row.is_default)).toBe(
      true,
    )
  })
})
