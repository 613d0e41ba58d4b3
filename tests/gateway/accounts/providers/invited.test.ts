import { beforeEach, describe, expect, it } from 'vitest'
import { role } from '../../../../shared/enums.ts'
import { dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, type Options, type Person, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from './browser.ts'
import { aProvider } from './fake-provider.ts'

const people = {
  ann: { id: 1234, login: 'ann-at-github', name: 'Ann', email: null },
  bob: { id: 77, login: 'bob', name: 'Bob', email: null },
  wei: { success: true, message: '', data: 'open-id-of-wei' },
}
const options: Options = {
  GitHubClientId: 'client-1',
  GitHubClientSecret: 'secret-1',
  GitHubOAuthEnabled: true,
  RegisterEnabled: false,
  QuotaForNewUser: 100,
  GroupRatio: { default: 1, vip: 1 },
}
const gone = 'The invitation is not valid or has expired. Ask for a new one.'

let world: World
let clerk: Person
beforeEach(async () => {
  const provider = await aProvider(people)
  const providers = { github: provider.url, githubApi: provider.url, linuxdo: provider.url }
  world = await aWorld({ options, providers })
  await world.option('WeChatServerAddress', provider.url)
  await world.option('WeChatAuthEnabled', true)
  clerk = await world.user({ role: role.admin })
})

const invite = async (fields: object = {}, by: Person = world.admin): Promise<{ id: number; code: string }> =>
  dataOf(await by.post('/api/invitation', fields))
const begin = async (of: Browser, invitation: string) =>
  dataOf(await of.get(`/api/oauth/state?invitation=${invitation}`))
const comeBack = (of: Browser, code: string, state: string) => of.get(`/api/oauth/github?code=${code}&state=${state}`)
const comes = async (code: string, invitation: string, of = aBrowser(world.url)) =>
  comeBack(of, code, await begin(of, invitation))
const usesOf = async (id: number) =>
  dataOf(await world.admin.get('/api/invitation')).find((one: { id: number }) => one.id === id).used
const accounts = async () => (await world.gateway.inner.db.selectFrom('users').select('id').execute()).length

describe('a visitor with an invitation link and a provider (docs/reference/accounts.md#invitation-links)', () => {
  it('has role, group, quota and remark of the link, on the books, although registering is closed', async () => {
    const { id, code } = await invite({ role: 10, group: 'vip', quota: 5000, note: 'The new clerk' })
    expect((await comes('ann', '')).message).toBe('New registrations are closed')
    const made = dataOf(await comes('ann', code))
    expect(made).toMatchObject({ role: 10, group: 'vip', display_name: 'Ann' })
    const { db } = world.gateway.inner
    const row = await db.selectFrom('users').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ github_id: '1234', quota: 5100, remark: 'The new clerk', password: '' })
    expect(await usesOf(id)).toBe(1)
    expect(await reconcile(db)).toEqual([])
  })

  it('uses up nothing if the provider account is already bound, no matter what happened to the link', async () => {
    const first = dataOf(await comes('ann', (await invite()).code))
    const { id, code } = await invite({ role: 10, group: 'vip', quota: 5000 })
    expect(dataOf(await comes('ann', code))).toMatchObject({ id: first.id, role: 1, group: 'default' })
    expect(await usesOf(id)).toBe(0)
    dataOf(await world.admin.delete(`/api/invitation/${id}`))
    expect(dataOf(await comes('ann', code)).id).toBe(first.id)
    expect(dataOf(await comes('ann', 'made-up')).id).toBe(first.id)
  })

  it('gets a message and no account if the link has been used up, expired or revoked meanwhile', async () => {
    await world.option('RegisterEnabled', true)
    const before = await accounts()
    const [used, late, back] = [await invite(), await invite({ seconds: 60 }), await invite()]
    const browsers = [used, late, back].map((link) => ({ link, of: aBrowser(world.url) }))
    const states = await Promise.all(browsers.map(({ link, of }) => begin(of, link.code)))
    const registered = { username: 'quicker', password: 'a-long-password', invitation: used.code }
    dataOf(await world.visitor.post('/api/user/register', registered))
    world.clock.advance(60_000)
    dataOf(await world.admin.delete(`/api/invitation/${back.id}`))
    for (const [place, { of }] of browsers.entries())
      expect((await comeBack(of, 'bob', states[place] ?? '')).message, String(place)).toBe(gone)
    expect((await comes('bob', 'made-up')).message).toBe(gone)
    expect(await accounts()).toBe(before + 1)
  })

  it('creates no more accounts than the link allows when twelve come at once, and one for each person', async () => {
    const { id, code } = await invite({ uses: 2 })
    const before = await accounts()
    const all = Array.from({ length: 12 }, (_, place) => comes(place % 2 === 0 ? 'ann' : 'bob', code))
    const replies = await Promise.all(all)
    expect(replies.map(({ status }) => status)).not.toContain(500)
    expect(await accounts()).toBe(before + 2)
    expect(await usesOf(id)).toBe(2)
    const one = await invite()
    const both = await Promise.all([comes('wei-is-nobody', one.code), comes('wei-is-nobody', one.code)])
    expect(both.filter(({ success }) => success)).toHaveLength(0)
    expect(await usesOf(one.id), 'whom the provider does not know').toBe(0)
  })

  it('comes by WeChat as well', async () => {
    const { id, code } = await invite({ group: 'vip' }, clerk)
    const browser = aBrowser(world.url)
    await browser.get('/api/oauth/state')
    expect((await browser.get('/api/oauth/wechat?code=wei')).message).toBe('New registrations are closed')
    const made = dataOf(await browser.get(`/api/oauth/wechat?code=wei&invitation=${code}`))
    expect(made).toMatchObject({ role: 1, group: 'vip' })
    expect(await usesOf(id)).toBe(1)
  })

  it('who is logged in already is bound, and does not use up the link', async () => {
    const { id, code } = await invite({ role: 10 })
    const person = await world.user()
    const browser = aBrowser(world.url)
    await browser.logIn(person.username, 'a-long-password')
    expect((await comes('ann', code, browser)).message).toBe('bind')
    expect(await usesOf(id)).toBe(0)
    expect(dataOf(await browser.get('/api/user/self'))).toMatchObject({ id: person.id, role: 1, github_id: '1234' })
  })
})
