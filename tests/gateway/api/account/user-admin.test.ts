import { beforeAll, describe, expect, it } from 'vitest'
import { logType, role, tokenStatus } from '../../../../shared/enums.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf, signedIn } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'

let world: World
let clerk: Person
beforeAll(async () => {
  world = await aWorld()
  clerk = await world.user({ role: role.admin, username: 'clerk' })
  await world.channel()
})

const idOf = async (username: string): Promise<number> =>
  dataOf(await world.admin.get(`/api/user/search?keyword=${username}`)).items[0]?.id
const manage = (by: Person, id: number, action: string) => by.post('/api/user/manage', { id, action })
const rowsOf = async (userId: number, type: number) => {
  const { ledger, db } = world.gateway.inner
  await ledger.flush()
  return db
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .orderBy('id')
    .execute()
}

describe('the list of accounts (docs/reference/accounts.md#managing-accounts)', () => {
  it('has the newest first, page by page, without any secrets', async () => {
    await world.user({ username: 'one' })
    await world.user({ username: 'two' })
    const reply = await clerk.get('/api/user/?p=1&page_size=2')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const first = dataOf(reply)
    expect(first.items.map(({ username }: { username: string }) => username)).toEqual(['two', 'one'])
    expect(first).toMatchObject({ page: 1, page_size: 2, total: expect.any(Number) })
    const second = dataOf(await clerk.get('/api/user/?p=2&page_size=2'))
    expect(second.items[0].id).toBeLessThan(first.items[1].id)
    expect(JSON.stringify(first)).not.toMatch(/argon2|access_token/)
  })

  it('is narrowed to a role and a status, with or without a search; unknown values are ignored', async () => {
    const [plain, banned, gone] = [await world.user(), await world.user(), await world.user()]
    const admin = await world.user({ role: role.admin })
    dataOf(await world.admin.post('/api/user/manage', { id: banned.id, action: 'disable' }))
    dataOf(await world.admin.post('/api/user/manage', { id: gone.id, action: 'delete' }))
    const all = [plain, banned, gone, admin].map(({ id }) => id)
    const found = async (query: string) =>
      dataOf(await world.admin.get(`/api/user/search?page_size=100&${query}`))
        .items.map(({ id }: { id: number }) => id)
        .filter((id: number) => all.includes(id))
        .reverse()
    expect(await found('role=admin')).toEqual([admin.id])
    expect(await found('role=user')).toEqual([plain.id, banned.id, gone.id])
    expect(await found('status=banned')).toEqual([banned.id])
    expect(await found('status=deactivated')).toEqual([gone.id])
    expect(await found('role=user&status=active')).toEqual([plain.id])
    expect(await found(`keyword=${plain.username}&status=banned`)).toEqual([])
    expect(await found('role=king&status=7')).toEqual(all)
  })

  it('is searched by name, display name, mail address and ID, taken literally, and by group', async () => {
    const { db } = world.gateway.inner
    const odd = await world.user({ username: 'odd_one', group: 'vip' })
    await db
      .updateTable('users')
      .set({ display_name: 'Ann 100%', email: 'Ann@x.example' })
      .where('id', '=', odd.id)
      .execute()
    const found = async (query: string) =>
      dataOf(await clerk.get(`/api/user/search?${query}`)).items.map(({ id }: { id: number }) => id)
    for (const keyword of ['ODD_', 'ann 100%25', 'ann@X', String(odd.id)])
      expect(await found(`keyword=${keyword}`), keyword).toContain(odd.id)
    expect(await found('keyword=o_d')).toEqual([])
    expect(await found('group=vip')).toEqual([odd.id])
    expect(await found('keyword=odd&group=default')).toEqual([])
  })

  it('hides from an administrator the contact data of accounts of the same or a higher role', async () => {
    const { db } = world.gateway.inner
    await db
      .updateTable('users')
      .set({ email: 'root@x.example', setting: '{"a":1}' })
      .where('id', '=', world.admin.id)
      .execute()
    const rootIn = async (by: Person) =>
      dataOf(await by.get('/api/user/search?keyword=root')).items.find(
        ({ id }: { id: number }) => id === world.admin.id,
      )
    expect(await rootIn(clerk)).toMatchObject({ username: 'root', email: '', setting: '{}' })
    expect(await rootIn(world.admin)).toMatchObject({ email: 'root@x.example', setting: '{"a":1}' })
  })
})

describe('a new account', () => {
  it('signs in with its password, and has the quota of new users, entered in the ledger', async () => {
    await world.option('QuotaForNewUser', 500_000)
    expect(await clerk.post('/api/user', { username: ' dora ', password: PASSWORD })).toMatchObject({ success: true })
    await world.option('QuotaForNewUser', 0)
    const dora = await signedIn(world.url, 'dora', PASSWORD)
    const self = dataOf(await dora.get('/api/user/self'))
    expect(self).toMatchObject({ username: 'dora', display_name: 'dora', role: 1, status: 1, quota: 500_000 })
    expect((await rowsOf(self.id, logType.system)).map(({ content }) => content)).toEqual(['New-user bonus $1.000000'])
    const { db } = world.gateway.inner
    const moved = await db.selectFrom('ledger').selectAll().where('user_id', '=', self.id).execute()
    expect(moved).toMatchObject([{ kind: 'grant', amount: 500_000, balance_after: 500_000 }])
  })

  it('of a name that is taken, too long or empty, or a weak password, is refused with a message', async () => {
    const told = async (body: object) => (await clerk.post('/api/user', { password: PASSWORD, ...body })).message
    expect(await told({ username: '' })).toBe('Username and password cannot be empty!')
    expect(await told({ username: 'dora' })).toBe('This username is taken or belongs to a deactivated account')
    expect(await told({ username: 'a-name-of-13-c' })).toBe('The username can have at most 12 characters')
    expect(await told({ username: 'a@b' })).toBe(
      'The username cannot contain @, control or invisible characters, letters in unusual forms, or similar alphabets mixed',
    )
    expect(await told({ username: 'eve', password: '1234567' })).toBe('The password must have at least 8 characters')
    expect(await idOf('eve')).toBeUndefined()
  })

  it('is added once of several of one name at once, and each of several names', async () => {
    const add = (username: string) => world.admin.post('/api/user', { username, password: PASSWORD })
    const same = await Promise.all(['twin', 'Twin', 'TWIN', 'twin'].map(add))
    expect(same.filter(({ success }) => success)).toHaveLength(1)
    expect(same.filter(({ status }) => status !== 200)).toEqual([])
    const others = await Promise.all(['tic', 'tac', 'toe', 'tuc'].map(add))
    expect(others.map(({ success, message }) => [success, message])).toEqual(others.map(() => [true, '']))
  })

  it('has a name that the database accepts once, in any letter case', async () => {
    const row = { username: 'NeStOr', password: '', role: role.user, display_name: '', created_at: 1 }
    const add = (username: string) =>
      world.gateway.inner.db
        .insertInto('users')
        .values({ ...row, username })
        .execute()
    await add('NeStOr')
    await expect(add('nestor')).rejects.toThrow()
  })

  it('may be an administrator only where root adds it', async () => {
    const add = (by: Person, username: string, wanted: number) =>
      by.post('/api/user', { username, password: PASSWORD, role: wanted })
    expect((await add(clerk, 'eve', 10)).message).toBe('You cannot create a user with your own role or a higher one')
    expect((await add(world.admin, 'eve', 100)).success).toBe(false)
    expect((await add(world.admin, 'eve', 10)).success).toBe(true)
    expect((await clerk.get(`/api/user/${await idOf('eve')}`)).success).toBe(false)
  })
})

describe('an account that is changed', () => {
  const edit = (by: Person, id: number, fields: object) => by.put('/api/user', { id, ...fields })

  it('changes only in the fields that are present', async () => {
    const fay = await world.user({ username: 'fay', quota: 700 })
    expect(await edit(clerk, fay.id, { group: 'vip', remark: 'from the lab' })).toMatchObject({ success: true })
    const view = dataOf(await clerk.get(`/api/user/${fay.id}`))
    expect(view).toMatchObject({ username: 'fay', group: 'vip', remark: 'from the lab', quota: 700 })
    expect((await edit(clerk, fay.id, { group: 'nowhere' })).message).toContain('nowhere')
    expect((await edit(clerk, fay.id, { username: 'root' })).success).toBe(false)
    expect(await fay.get('/api/user/self')).toMatchObject({ success: true })
    expect(JSON.stringify(dataOf(await fay.get('/api/user/self')))).not.toContain('lab')
  })

  it('gains or loses the difference to the loaded value, so that spending meanwhile is not undone', async () => {
    const gil = await world.user({ username: 'gil', quota: 1_000_000 })
    await world.gateway.inner.ledger.move({
      kind: 'admin',
      userId: gil.id,
      amount: -400_000,
      refType: 'test',
      refId: 'spent',
    })
    expect((await edit(clerk, gil.id, { quota: 1_500_000, quota_base: 1_000_000 })).success).toBe(true)
    expect(await gil.quota()).toBe(1_100_000)
    expect((await edit(clerk, gil.id, { quota: 250_000 })).success).toBe(true)
    expect(await gil.quota()).toBe(250_000)
    const [first] = await rowsOf(gil.id, logType.manage)
    expect(first?.content).toBe('An administrator changed the quota from $1.200000 to $2.200000')
    expect(dataOf(await gil.get('/api/log/self?type=3')).items[0].other).not.toContain('clerk')
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('moves quota once for a key, however often and at once the call is sent', async () => {
    const zoe = await world.user({ username: 'zoe', quota: 1_000 })
    const other = await world.user({ role: role.admin, username: 'other-clerk' })
    const add = { quota: 1_500, quota_base: 1_000, idempotency_key: 'one-click' }
    const answers = await Promise.all([1, 2, 3].map(() => edit(clerk, zoe.id, add)))
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect((await edit(clerk, zoe.id, { ...add, remark: 'again' })).success).toBe(true)
    expect(dataOf(await clerk.get(`/api/user/${zoe.id}`))).toMatchObject({ quota: 1_500, remark: 'again' })
    expect((await edit(clerk, zoe.id, { ...add, quota: 1_600 })).success).toBe(false)
    // Set twice, a balance would lose what was paid in between.
    const set = await edit(clerk, zoe.id, { quota: 9_000, idempotency_key: 'set' })
    expect(set).toMatchObject({
      success: false,
      message: expect.stringContaining('idempotency_key requires quota_base'),
    })
    const many = { ids: [zoe.id], amount: 50, idempotency_key: 'several' }
    for (const _ of [1, 2])
      expect(dataOf(await clerk.put('/api/user/batch', many))).toMatchObject({ changed: 1, refused: [] })
    expect((await edit(other, zoe.id, add)).success).toBe(true)
    expect(await zoe.quota()).toBe(2_050)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('that is set to a balance several times at once has that balance, once', async () => {
    const sam = await world.user({ username: 'sam', quota: 100_000 })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => edit(clerk, sam.id, { quota: 250_000, password: PASSWORD })),
    )
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true])
    expect(await sam.quota()).toBe(250_000)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('of two that want one name at once one has it', async () => {
    const people = await Promise.all(['pia', 'quin', 'ruth'].map((username) => world.user({ username })))
    const answers = await Promise.all(people.map(({ id }) => edit(clerk, id, { username: 'same' })))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })

  it('is signed out everywhere by a new password', async () => {
    const hal = await world.user({ username: 'hal' })
    expect((await edit(clerk, hal.id, { password: 'another-password', username: 'hal2' })).success).toBe(true)
    expect((await hal.get('/api/user/self')).status).toBe(401)
    expect((await signedIn(world.url, 'hal2', 'another-password')).id).toBe(hal.id)
    expect((await edit(clerk, hal.id, { password: '' })).success).toBe(true)
    await signedIn(world.url, 'hal2', 'another-password')
  })

  it('cannot be changed by a user of the same or a lower role', async () => {
    const peer = await world.user({ role: role.admin, username: 'peer' })
    for (const id of [peer.id, clerk.id, world.admin.id])
      expect((await edit(clerk, id, { remark: 'x' })).message).toBe(
        'You cannot change a user with the same or a higher role',
      )
    expect((await edit(world.admin, world.admin.id, { display_name: 'Boss' })).success).toBe(true)
    expect((await edit(clerk, 99_999, { remark: 'x' })).message).toBe('User not found')
  })
})

describe('promote, demote, disable, enable, delete (docs/reference/accounts.md#managing-accounts)', () => {
  it('go by the ladder', async () => {
    const ida = await world.user({ username: 'ida' })
    expect((await manage(clerk, ida.id, 'promote')).message).toBe('Only the super administrator can promote users')
    expect((await manage(clerk, ida.id, 'demote')).message).toBe('The user is already a normal user')
    expect(dataOf(await manage(world.admin, ida.id, 'promote'))).toEqual({ status: 1, role: 10 })
    expect((await manage(world.admin, ida.id, 'promote')).message).toBe('The user is already an administrator')
    for (const action of ['demote', 'disable', 'enable'])
      expect((await manage(clerk, ida.id, action)).message).toBe(
        'You cannot change a user with the same or a higher role',
      )
    expect((await manage(clerk, ida.id, 'delete')).message).toBe(
      'You cannot delete a user with the same or a higher role',
    )
    expect(dataOf(await manage(world.admin, ida.id, 'demote'))).toEqual({ status: 1, role: 1 })
    expect((await manage(clerk, ida.id, 'rename')).message).toBe('Unknown action')
  })

  it('never touch the super administrator', async () => {
    const told = async (action: string) => (await manage(world.admin, world.admin.id, action)).message
    expect(await told('demote')).toBe('The super administrator cannot be demoted')
    expect(await told('disable')).toBe('The super administrator cannot be disabled')
    expect(await told('delete')).toBe('The super administrator cannot be deleted')
    expect((await world.admin.delete(`/api/user/${world.admin.id}`)).message).toBe(
      'The super administrator cannot be deleted',
    )
  })

  it('a ban ends the session and the key at once, and is lifted; a change of role ends sessions too', async () => {
    const jon = await world.user({ username: 'jon', quota: 1_000_000 })
    expect((await jon.asks('gpt-4o', 'hi')).status).toBe(200)
    expect(dataOf(await manage(clerk, jon.id, 'disable'))).toEqual({ status: 2, role: 1 })
    expect((await jon.asks('gpt-4o', 'hi')).status).toBe(403)
    expect((await jon.get('/api/user/self')).status).toBe(401)
    expect(dataOf(await manage(clerk, jon.id, 'enable'))).toEqual({ status: 1, role: 1 })
    expect((await jon.asks('gpt-4o', 'hi')).status).toBe(200)
    const again = await signedIn(world.url, 'jon', PASSWORD)
    await manage(world.admin, jon.id, 'promote')
    expect((await again.get('/api/user/self')).status).toBe(401)
  })

  it('a deactivated account is gone for good: no session, no key, its name stays taken', async () => {
    const kim = await world.user({ username: 'kim', quota: 1_000_000 })
    await kim.asks('gpt-4o', 'hi')
    expect((await manage(clerk, kim.id, 'delete')).success).toBe(true)
    expect((await kim.asks('gpt-4o', 'hi')).status).toBe(401)
    expect((await kim.get('/api/user/self')).status).toBe(401)
    const view = dataOf(await clerk.get(`/api/user/${kim.id}`))
    expect(view.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    for (const action of ['enable', 'delete', 'disable'])
      expect((await manage(clerk, kim.id, action)).message).toBe('This account has been deactivated')
    expect((await clerk.put('/api/user', { id: kim.id, remark: 'x' })).success).toBe(false)
    expect((await clerk.post('/api/user', { username: 'kim', password: PASSWORD })).success).toBe(false)
    const { db } = world.gateway.inner
    const tokens = await db.selectFrom('tokens').select('status').where('user_id', '=', kim.id).execute()
    expect(tokens).toEqual([{ status: tokenStatus.disabled }])
  })

  it('one that is removed leaves its name, its log and its ledger', async () => {
    const lea = await world.user({ username: 'lea', quota: 1_000_000 })
    await lea.asks('gpt-4o', 'hi')
    expect((await clerk.delete(`/api/user/${lea.id}`)).success).toBe(true)
    expect((await lea.asks('gpt-4o', 'hi')).status).toBe(401)
    expect((await clerk.get(`/api/user/${lea.id}`)).message).toBe('User not found')
    expect(await rowsOf(lea.id, logType.consume)).toHaveLength(1)
    expect((await clerk.post('/api/user', { username: 'lea', password: PASSWORD })).success).toBe(true)
    expect(await idOf('lea')).toBeGreaterThan(lea.id)
  })

  it('one that is removed while its request runs does not change the balances of others', async () => {
    const [vic, wes] = [
      await world.user({ username: 'vic', quota: 1_000_000 }),
      await world.user({ username: 'wes', quota: 1_000_000 }),
    ]
    const gone = Promise.withResolvers<void>()
    world.upstream.reset()
    world.upstream.answers(async () => {
      await gone.promise
      return { body: chatAnswer('hi') }
    })
    const running = vic.asks('gpt-4o', 'hi')
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    expect((await clerk.delete(`/api/user/${vic.id}`)).success).toBe(true)
    gone.resolve()
    await running
    world.upstream.reset()
    expect((await wes.asks('gpt-4o', 'hi')).status).toBe(200)
    expect(await wes.quota()).toBeLessThan(1_000_000)
    expect(world.gateway.inner.ledger.healthy()).toBe(true)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('of simultaneous changes only the one based on the current role succeeds', async () => {
    const mia = await world.user({ username: 'mia' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => manage(world.admin, mia.id, 'promote')))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  it('are logged for administrators, with who did it to whom', async () => {
    const nat = await world.user({ username: 'nat' })
    await manage(clerk, nat.id, 'disable')
    await clerk.put('/api/user', { id: nat.id, password: 'another-password' })
    const rows = await rowsOf(0, logType.manage)
    expect(rows.slice(-2).map(({ content }) => content)).toEqual([
      `clerk disabled the user “nat” (ID ${nat.id})`,
      `clerk changed the user “nat” (ID ${nat.id})`,
    ])
    expect(JSON.stringify(rows)).not.toContain('another-password')
    expect(JSON.stringify(rows)).not.toContain('argon2')
  })

  it('are closed to users', async () => {
    const olga = await world.user({ username: 'olga' })
    for (const answer of await Promise.all([
      olga.get('/api/user'),
      olga.get('/api/user/search?keyword=a'),
      olga.post('/api/user', { username: 'x', password: PASSWORD }),
      olga.put('/api/user', { id: olga.id, quota: 1 }),
      manage(olga, olga.id, 'promote'),
      olga.delete(`/api/user/${olga.id}`),
    ]))
      expect(answer.message).toBe('You do not have permission to do this')
  })
})
