import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
const now = () => Math.floor(world.clock.now() / 1000)

beforeAll(async () => {
  world = await aWorld({
    clock: aClock(1_750_000_000_000),
    options: {
      GroupRatio: { default: 1, vip: 1, staff: 1 },
      UserUsableGroups: { default: 'for all', auto: 'best', old: 'no longer priced' },
    },
  })
  alice = await world.user({ group: 'staff' })
})

describe('a new token (docs/reference/accounts.md#api-tokens)', () => {
  it('needs a name of 1 to 30 characters, counted as people count', async () => {
    expect((await made({ name: '名'.repeat(30) })).success).toBe(true)
    expect((await made({ name: '😀'.repeat(30) })).success).toBe(true)
    expect((await made({ name: '名'.repeat(31) })).success).toBe(false)
    expect((await made({ name: '' })).success).toBe(false)
    expect((await made({ name: '   ' })).success).toBe(false)
    expect((await made({ name: undefined })).success).toBe(false)
    expect(dataOf(await made({ name: '  laptop ' })).name).toBe('laptop')
  })

  it('has a name without characters that reverse the text; letters of right-to-left scripts are allowed', async () => {
    expect((await made({ name: '\u202eabc' })).message).toBe(
      'Invalid input: name: characters that change the writing direction are not allowed',
    )
    expect((await made({ name: 'مفتاح' })).success).toBe(true)
  })

  it('never expires or expires in the future', async () => {
    expect(dataOf(await made({ expired_time: -1 })).expired_time).toBe(-1)
    expect(dataOf(await made({ expired_time: now() + 60 })).expired_time).toBe(now() + 60)
    expect(dataOf(await made({ expired_time: 253_402_300_799 })).expired_time).toBe(253_402_300_799)
    for (const expired_time of [0, now() - 1, now(), 253_402_300_800, Date.now(), 9e15])
      expect((await made({ expired_time })).message).toBe('The expiry date is not valid')
    for (const expired_time of [-2, 1.5, 'soon', null]) expect((await made({ expired_time })).success).toBe(false)
  })

  it('has a whole amount of quota that is not negative', async () => {
    expect(dataOf(await made({ remain_quota: 500_000, unlimited_quota: false })).remain_quota).toBe(500_000)
    expect(dataOf(await made({ remain_quota: 0, unlimited_quota: false })).remain_quota).toBe(0)
    const tooMuch = await made({ remain_quota: 1e16, unlimited_quota: false })
    expect(tooMuch.message).toBe('Invalid input: remain_quota: must be at most 1000000000000000')
    for (const remain_quota of [-1, 0.5, 1e300, '5', null]) expect((await made({ remain_quota })).success).toBe(false)
  })

  it('may name a group its owner may use: an empty one, the own one, one open to all, auto', async () => {
    for (const group of ['', 'staff', 'default', 'auto']) expect(dataOf(await made({ group })).group).toBe(group)
    expect((await made({ group: 'vip' })).message).toMatch(/cannot use the group vip/)
    expect((await made({ group: 'old' })).message).toMatch(/group old no longer exists/)
    expect((await made({ group: 'constructor' })).success).toBe(false)
  })

  it('stores model names trimmed and once, in their order', async () => {
    const { model_limits } = dataOf(await made({ model_limits: ' gpt-4o , o3,,\ngpt-4o,o1 ' }))
    expect(model_limits).toBe('gpt-4o,o3,o1')
  })

  it('takes addresses and ranges of both kinds, and nothing else', async () => {
    const { allow_ips } = dataOf(await made({ allow_ips: ' 10.0.0.1 \n\n10.1.0.0/16, ::1\n2001:db8::/32 10.0.0.1' }))
    expect(allow_ips).toBe('10.0.0.1\n10.1.0.0/16\n::1\n2001:db8::/32')
    for (const none of ['', ' \n', null, undefined])
      expect(dataOf(await made({ allow_ips: none })).allow_ips).toBeNull()
    for (const wrong of [
      '10.0.0.256',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'localhost',
      'fe80::1%eth0',
      '10.0.0.0/1e1',
    ])
      expect((await made({ allow_ips: wrong })).message).toContain(`${wrong} is not an IP address`)
    const many = (n: number) => Array.from({ length: n }, (_, index) => `2001:db8::${index}`).join(' ')
    expect((await made({ allow_ips: many(100) })).success).toBe(true)
    expect((await made({ allow_ips: many(101) })).message).toBe('Enter at most 100 addresses or ranges')
  })

  it('ignores fields that its owner may not set', async () => {
    const token = dataOf(await made({ key: 'chosen', user_id: 1, used_quota: -5, status: 2, created_time: 1, id: 1 }))
    expect(token).toMatchObject({ user_id: alice.id, used_quota: 0, status: 1 })
    expect(token.key).not.toBe('chosen')
  })

  it('is one of at most a thousand; deleted ones do not count', async () => {
    const bob = await world.user()
    const { db } = world.gateway.inner
    const row = (index: number) => ({
      user_id: bob.id,
      name: 'n',
      key: '',
      key_hash: `limit-${index}`,
      created_time: 1,
    })
    await db
      .insertInto('tokens')
      .values(Array.from({ length: 998 }, (_, index) => row(index)))
      .execute()

    const answers = await Promise.all([1, 2, 3, 4].map(() => bob.post('/api/token', { name: 'one of the last' })))
    expect(answers.filter(({ success }) => success)).toHaveLength(2)

    const [last] = dataOf(await bob.get('/api/token'))
    dataOf(await bob.delete(`/api/token/${last.id}`))
    expect((await bob.post('/api/token', { name: 'in its place' })).success).toBe(true)
    expect((await bob.post('/api/token', { name: 'too many' })).success).toBe(false)
  })

  it('is for people who are signed in', async () => {
    expect((await world.visitor.post('/api/token', { name: 'x' })).status).toBe(401)
    expect((await world.visitor.get('/api/token')).status).toBe(401)
  })
})

const made = (fields: object) => alice.post('/api/token', { name: 'a token', ...fields })
