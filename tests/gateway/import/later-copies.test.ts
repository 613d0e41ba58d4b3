import { expect, it } from 'vitest'
import { dataOf, signedIn } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { SIBLING_HASH, SIBLING_PASSWORD } from '../../support/sibling-database.ts'
import { aWorld } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'
import { hashOf, installation, keyRow, root, stateOf } from './installation.ts'

const people = () =>
  installation(
    [
      root,
      { id: 2, username: 'ann', role: 1, quota: 1_000_000 },
      { id: 3, username: 'ben', role: 10, quota: 2_000_000 },
      { id: 4, username: 'cat', role: 1, quota: 3_000_000, aff_code: 'c4t1' },
      { id: 5, username: 'dan', role: 1, quota: 4_000_000 },
      { id: 6, username: 'eve', role: 1, quota: 5_000_000 },
    ],
    {
      tokens: [keyRow(2, 'A'), keyRow(5, 'D')],
      channels: [{ id: 1, type: 1, key: 'k', name: 'main', models: 'gpt-4o', created_time: 1_650_000_000 }],
      logs: [{ id: 1, user_id: 2, created_at: 1_700_000_000, type: 2, content: 'by', quota: 7 }],
    },
  )
const balances = { 'root-2': 5, ann: 1_000_000, ben: 2_000_000, cat: 3_000_000, dan: 4_000_000, eve: 5_000_000 }

type Change = Parameters<ReturnType<typeof people>['change']>
const renamed = (name: string) => ({ username: name, password: hashOf('new') })

it.each<[string, readonly Change[]]>([
  ['nothing', []],
  ['an invitation code of the first account', [[1, { aff_code: 'aB3d' }]]],
  ['the name of the first account', [[1, { username: 'boss' }]]],
  ['the password of the first account', [[1, { password: hashOf('new') }]]],
  ['the name and the password of an account with an invitation code', [[4, renamed('kitty')]]],
  ['the name and the password of an account with an imported key', [[5, renamed('daniel')]]],
  ['balances and roles', [2, 3, 4].map((id) => [id, { quota: 77, role: 1 }])],
])(
  'a later copy grants no balance again, and adds only new rows (docs/operations.md#copies-and-other-installations): changed %s',
  async (_, changes) => {
    const world = await aWorld()
    const steps = importing(world)
    const theirs = people()
    await steps.imported(await theirs.copy(), { history: true })
    const before = await stateOf(world)
    expect(before.balances).toEqual(balances)
    for (const change of changes) theirs.change(...change)
    theirs.add('users', { id: 7, username: 'fay', role: 1, quota: 6 })
    theirs.add('tokens', keyRow(7, 'F'))
    for (const id of [1, 4, 5]) theirs.add('tokens', keyRow(id, String(id)))
    theirs.add('logs', { id: 2, user_id: 5, created_at: 1_700_000_001, type: 2, content: 'later by', quota: 7 })
    const { result } = await steps.imported(await theirs.copy(), { history: true })
    expect(countsIn(result?.tables ?? [])).toMatchObject({
      users: '1/6/0/0',
      tokens: '4/2/0/0',
      channels: '0/1/0/0',
      logs: '1/1/0/0',
    })
    expect(await stateOf(world)).toEqual({
      balances: { ...balances, fay: 6 },
      administrators: before.administrators,
      keys: { ...before.keys, 'key F': 'fay', 'key 1': 'root-2', 'key 4': 'cat', 'key 5': 'dan' },
      calls: ['by ann', 'later by dan'],
    })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  },
)

it.each<[string, Change]>([
  ['nothing agrees', [6, renamed('adam')]],
  ['the invitation code is another', [4, { password: hashOf('new'), aff_code: 'other' }]],
])('leaves out, with its tokens, an account with the ID of an imported one: %s', async (_, change) => {
  const world = await aWorld()
  const steps = importing(world)
  const theirs = people()
  await steps.imported(await theirs.copy())
  const before = await stateOf(world)
  theirs.change(...change)
  theirs.add('tokens', keyRow(change[0], 'E'))
  const { report } = await steps.checked(await theirs.copy())
  expect(countsIn(report?.tables ?? [])).toMatchObject({ users: '0/5/0/1', tokens: '0/2/0/1' })
  expect(report?.remarks).toContainEqual(
    expect.objectContaining({
      table: 'users',
      outcome: 'left_out',
      text: expect.stringMatching(/^Another user with this ID was/),
    }),
  )
  expect(await stateOf(world)).toEqual(before)
})

it('recognizes an account through copies in which it changes step by step', async () => {
  const world = await aWorld()
  const steps = importing(world)
  const theirs = people()
  await steps.imported(await theirs.copy())
  for (const [letter, cells] of [
    ['X', { password: hashOf('new') }],
    ['Y', { username: 'evelyn' }],
    ['Z', { password: hashOf('newer') }],
  ] as const) {
    theirs.change(6, cells)
    theirs.add('tokens', keyRow(1, letter))
    await steps.imported(await theirs.copy())
  }
  expect((await stateOf(world)).balances).toEqual(balances)
})

it('recognizes a copy after an import without accounts, which then grants each balance once', async () => {
  const world = await aWorld()
  const steps = importing(world)
  const theirs = people()
  await steps.imported(await theirs.copy(), { accounts: false, history: true })
  expect((await stateOf(world)).balances).toEqual({})
  const { result } = await steps.imported(await theirs.copy(), { history: true })
  expect(countsIn(result?.tables ?? [])).toMatchObject({ users: '6/0/0/0', channels: '0/1/0/0', logs: '0/1/0/0' })
  expect((await stateOf(world)).balances).toEqual(balances)
  const again = await steps.checked(await theirs.copy())
  expect(countsIn(again.report?.tables ?? [])).toMatchObject({ users: '0/6/0/0', tokens: '0/2/0/0' })
})

it('recognizes a copy whose super administrator is not imported', async () => {
  const world = await aWorld()
  const steps = importing(world)
  const theirs = installation([root], {
    tokens: [keyRow(1, 'A')],
    logs: [{ id: 1, user_id: 1, created_at: 1_700_000_000, type: 2, content: 'by', quota: 7 }],
  })
  await steps.imported(await theirs.copy(), { root: 'mine', history: true })
  theirs.change(1, renamed('boss'))
  theirs.add('tokens', keyRow(1, 'B'))
  const { result } = await steps.imported(await theirs.copy(), { root: 'mine', history: true })
  expect(countsIn(result?.tables ?? [])).toMatchObject({ users: '0/1/0/0', tokens: '1/1/0/0', logs: '0/1/0/0' })
  expect((await stateOf(world)).balances).toEqual({})
})

it('a later copy does not bring back a key that its owner has replaced (docs/reference/accounts.md#api-tokens)', async () => {
  const world = await aWorld()
  await world.channel()
  const steps = importing(world)
  const ann = { id: 2, username: 'ann', role: 1, quota: 1_000_000, password: SIBLING_HASH }
  const theirs = installation([root, ann], { tokens: [keyRow(2, 'A')] })
  await steps.imported(await theirs.copy())
  const statusWith = async (key: string) => {
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    return (await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers, body })).status
  }
  const key = String(keyRow(2, 'A').key)
  expect(await statusWith(key)).toBe(200)
  const person = await signedIn(world.url, 'ann', SIBLING_PASSWORD)
  const [token] = dataOf(await person.get('/api/token?p=0&size=10'))
  dataOf(await person.post(`/api/token/${token.id}/key`))
  expect(await statusWith(key)).toBe(401)
  theirs.add('tokens', keyRow(2, 'B'))
  const { result } = await steps.imported(await theirs.copy())
  expect(countsIn(result?.tables ?? [])).toMatchObject({ tokens: '1/1/0/0' })
  expect(await statusWith(key)).toBe(401)
  expect(dataOf(await person.get('/api/token?p=0&size=10'))).toHaveLength(2)
})
