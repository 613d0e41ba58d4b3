import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type World } from '../../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
  const usual = { models: 'gpt-4o', tag: 'eu' }
  await world.channel({ ...usual, name: 'first', priority: 1, key: 'a-canary' })
  await world.channel({ ...usual, name: 'second', priority: 9, group: 'vip' })
  await world.channel({ name: 'third', priority: 5, models: 'o1', tag: null })
})

const listed = async (query: string) => dataOf(await world.admin.get(`/api/channel/${query}`)) as { name: string }[]
const names = async (query: string) => (await listed(query)).map(({ name }) => name)

describe('channels over HTTP, as requested by programs of the family (docs/reference/channels.md#fields)', () => {
  it('have the fields of the family, without the key', async () => {
    const fields = [
      ...['id', 'name', 'type', 'base_url', 'other', 'openai_organization', 'max_input_tokens', 'model_mapping'],
      ...['status_code_mapping', 'models', 'group', 'auto_ban', 'test_model', 'priority', 'weight', 'tag', 'setting'],
      ...['param_override', 'status', 'response_time', 'balance', 'used_quota', 'other_info', 'created_time'],
      ...['balance_updated_time', 'test_time'],
    ]
    const [found] = await listed('search?keyword=first')
    const { id } = found as unknown as { id: number }
    for (const channel of [found, dataOf(await world.admin.get(`/api/channel/${id}`))]) {
      expect(Object.keys(channel)).toEqual(expect.arrayContaining(fields))
      expect(channel).toMatchObject({ auto_ban: 1, response_time: 0, test_time: 0, tag: 'eu', models: 'gpt-4o' })
      expect(JSON.stringify(channel)).not.toContain('a-canary')
    }
  })

  it('are listed in pages, by priority or id, and under their tags', async () => {
    expect(await names('?p=0&page_size=2&id_sort=false&tag_mode=false')).toEqual(['second', 'third'])
    expect(await names('?p=1&page_size=2&id_sort=false&tag_mode=false')).toEqual(['first'])
    expect(await names('?p=0&page_size=10&id_sort=true&tag_mode=false')).toEqual(['third', 'second', 'first'])
    expect((await names('?p=0&page_size=1&id_sort=false&tag_mode=true')).toSorted()).toEqual(['first', 'second'])
  })

  it('are searched by keyword, group and model, individually or with all channels of their tags', async () => {
    const search = (query: string) => names(`search?${query}`)
    expect(await search('keyword=first&group=&model=&id_sort=false&tag_mode=false')).toEqual(['first'])
    expect(await search('keyword=first&group=&model=&id_sort=false&tag_mode=true')).toEqual(['second', 'first'])
    expect(await search('keyword=&group=vip&model=&id_sort=false&tag_mode=false')).toEqual(['second'])
    expect(await search('keyword=&group=&model=o1&id_sort=true&tag_mode=false')).toEqual(['third'])
  })
})
