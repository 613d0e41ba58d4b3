import { describe, expect, it } from 'vitest'
import { signedIn } from '../../support/client.ts'
import { SIBLING_HASH, siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'
import { hashOf, installation, keyRow, root, stateOf } from './installation.ts'

const withOne = (name: string, letter: string, quota: number) =>
  installation([root, { id: 2, username: name, role: 1, quota, aff_code: `${name}1` }], {
    tokens: [keyRow(2, letter)],
    channels: [{ id: 1, type: 1, key: 'k', name: `of ${name}`, models: 'gpt-4o', created_time: quota }],
    logs: [{ id: 1, user_id: 2, created_at: 1_700_000_000, type: 2, content: 'by', username: name, quota: 7 }],
  })

describe('databases of two installations', () => {
  it('are imported next to each other, with the same IDs for different accounts (docs/operations.md#copies-and-other-installations)', async () => {
    const world = await aWorld()
    const steps = importing(world)
    await steps.imported(await withOne('ann', 'A', 1_000_000).copy(), { history: true })
    const { result } = await steps.imported(await withOne('bob', 'B', 2_000_000).copy(), { history: true })
    expect(countsIn(result?.tables ?? [])).toMatchObject({
      users: '2/0/0/0',
      tokens: '1/0/0/0',
      channels: '1/0/0/0',
      logs: '1/0/0/0',
    })
    expect(await stateOf(world)).toEqual({
      balances: { 'root-2': 5, ann: 1_000_000, 'root-3': 5, bob: 2_000_000 },
      administrators: ['root-2', 'root-3'],
      keys: { 'key A': 'ann', 'key B': 'bob' },
      calls: ['by ann', 'by bob'],
    })
    await signedIn(world.url, 'ann', 'password-ann')
    await signedIn(world.url, 'bob', 'password-bob')
  })

  it('are distinguished again in later copies of each', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const [first, second] = [withOne('ann', 'A', 1_000_000), withOne('bob', 'B', 2_000_000)]
    for (const { copy } of [first, second]) await steps.imported(await copy(), { history: true })
    for (const [one, letter] of [
      [first, 'C'],
      [second, 'D'],
    ] as const) {
      one.add('tokens', keyRow(2, letter))
      one.add('logs', { id: 2, user_id: 2, created_at: 1_700_000_001, type: 2, content: 'later by', quota: 7 })
      const { result } = await steps.imported(await one.copy(), { history: true })
      expect(countsIn(result?.tables ?? [])).toMatchObject({
        users: '0/2/0/0',
        tokens: '1/1/0/0',
        channels: '0/1/0/0',
        logs: '1/1/0/0',
      })
    }
    const { keys, calls } = await stateOf(world)
    expect(keys).toEqual({ 'key A': 'ann', 'key B': 'bob', 'key C': 'ann', 'key D': 'bob' })
    expect(calls).toEqual(['by ann', 'by bob', 'later by ann', 'later by bob'])
  })

  it('do not share an administrator with the same ID', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const helped = (name: string, letter: string) =>
      installation([root, { id: 2, username: name, role: 10, quota: 7, aff_code: `${name}1` }], {
        tokens: [keyRow(1, letter.toLowerCase()), keyRow(2, letter)],
      })
    await steps.imported(await helped('helper', 'A').copy())
    await steps.imported(await helped('boss', 'B').copy())
    const { administrators, keys } = await stateOf(world)
    expect(administrators).toEqual(['root-2', 'helper', 'root-3', 'boss'])
    expect(keys).toEqual({ 'key a': 'root-2', 'key A': 'helper', 'key b': 'root-3', 'key B': 'boss' })
  })

  it('are distinguished by several accounts of which nothing agrees, where none has an invitation code', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const people = (names: readonly string[]) =>
      installation([root, ...names.map((username, index) => ({ id: index + 2, username, role: 1, quota: 1 }))])
    await steps.imported(await people(['ann', 'ben', 'cat']).copy())
    await steps.imported(await people(['dan', 'eve', 'fay']).copy())
    const { balances } = await stateOf(world)
    expect(Object.keys(balances)).toEqual(['root-2', 'ann', 'ben', 'cat', 'root-3', 'dan', 'eve', 'fay'])
  })
})

describe('installations that were set up from one image', () => {
  it('are imported next to each other, without granting the balance of their common account again', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const image = { ...root, password: hashOf('image') }
    const people = (names: readonly string[], letter: string) =>
      installation(
        [image, ...names.map((username, index) => ({ id: index + 2, username, quota: 1, aff_code: username }))],
        { tokens: [keyRow(1, letter.toLowerCase()), keyRow(2, letter)] },
      )
    await steps.imported(await people(['ann', 'ben', 'cat'], 'A').copy())
    const { result } = await steps.imported(await people(['dan', 'eve', 'fay'], 'B').copy())
    expect(countsIn(result?.tables ?? [])).toMatchObject({ users: '3/0/0/1', tokens: '1/0/0/1' })
    const { balances, keys } = await stateOf(world)
    expect(balances).toEqual({ 'root-2': 5, ann: 1, ben: 1, cat: 1, dan: 1, eve: 1, fay: 1 })
    expect(keys).toEqual({ 'key a': 'root-2', 'key A': 'ann', 'key B': 'dan' })
  })
})

describe('a database that may be a later copy or another installation', () => {
  it.each([
    ['nothing can be compared', [root], [root]],
    [
      'one account agrees and one does not',
      [
        { ...root, password: SIBLING_HASH },
        { id: 2, username: 'ann', role: 1, quota: 9 },
      ],
      [
        { ...root, password: SIBLING_HASH },
        { id: 2, username: 'bob', role: 1, quota: 9 },
      ],
    ],
    [
      'only the name of the first account agrees',
      [root, { id: 2, username: 'ann', role: 1, quota: 9 }],
      [root, { id: 2, username: 'bob', role: 1, quota: 9 }],
    ],
  ])('is refused before anything is written: %s', async (_, before, after) => {
    const world = await aWorld()
    const steps = importing(world)
    await steps.imported(await installation(before, { tokens: [keyRow(1, 'A')] }).copy())
    const state = await stateOf(world)
    const refused = await steps.checked(await installation(after, { tokens: [keyRow(1, 'B')] }).copy())
    expect([refused.stage, refused.report]).toEqual(['failed', null])
    expect(refused.error).toMatch(/too few of them agree or differ .* import without users and API tokens/)
    expect(await stateOf(world)).toEqual(state)
  })

  it('is refused where all accounts have one password and only the first name agrees', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const named = (username: string) =>
      siblingDatabase('one-api', {
        users: [
          { ...root, password: SIBLING_HASH },
          { id: 2, username, password: SIBLING_HASH, quota: 9 },
        ],
      })
    await steps.imported(await named('ann'))
    expect((await steps.checked(await named('bob'))).error).toMatch(/too few of them agree or differ/)
  })

  it('is imported without its accounts, or if the only account in doubt is the own one', async () => {
    const world = await aWorld()
    const steps = importing(world)
    const alone = (letter: string) =>
      installation([root], {
        tokens: [keyRow(1, letter)],
        channels: [{ id: 1, type: 1, key: 'k', name: letter, models: 'gpt-4o', created_time: letter.charCodeAt(0) }],
      }).copy()
    await steps.imported(await alone('A'))
    const without = await steps.imported(await alone('B'), { accounts: false })
    expect(countsIn(without.result?.tables ?? [])).toMatchObject({ users: '0/0/0/1', channels: '1/0/0/0' })
    await steps.imported(await alone('C'), { root: 'mine' })
    const { balances, keys } = await stateOf(world)
    expect(balances).toEqual({ 'root-2': 5 })
    expect(keys).toMatchObject({ 'key A': 'root-2', 'key C': world.admin.username })
  })
})
