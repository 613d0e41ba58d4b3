import { expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

it('the names of groups and models that editors choose from follow options and channels (docs/reference/api.md#calls)', async () => {
  const world = await aWorld({ options: { GroupRatio: { vip: 0.5, default: 1, 'a group': 2 } } })
  await world.channel({ models: 'gpt-4o,b-model' })
  expect(dataOf(await world.admin.get('/api/group'))).toEqual(['a group', 'default', 'vip'])
  expect(dataOf(await world.admin.get('/api/channel/models_enabled')).toSorted()).toEqual(['b-model', 'gpt-4o'])
  const known: { id: string; object: string }[] = dataOf(await world.admin.get('/api/channel/models'))
  expect(known.find(({ id }) => id === 'gpt-4o')).toMatchObject({ object: 'model' })
  const alice = await world.user({ group: 'vip' })
  expect(dataOf(await alice.get('/api/user/models'))).toEqual(['b-model', 'gpt-4o'])
  expect(dataOf(await alice.get('/api/user/self/groups'))).toEqual({
    default: { desc: expect.any(String), ratio: 1 },
    vip: { desc: expect.any(String), ratio: 0.5 },
  })
  await world.admin.put('/api/option', { key: 'GroupRatio', value: '{"default":3,"vip":0.25}' })
  expect(dataOf(await world.admin.get('/api/group'))).toEqual(['default', 'vip'])
  expect(dataOf(await alice.get('/api/user/self/groups'))).toMatchObject({
    default: { ratio: 3 },
    vip: { ratio: 0.25 },
  })
})
