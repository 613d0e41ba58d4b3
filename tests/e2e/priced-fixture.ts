import type { ListedPrice } from '../../shared/api/pricing.ts'
import { dataOf } from '../support/client.ts'
import { servedVendor } from './served-vendor.ts'

/** A console with prices, groups and a user whose group has its own ratios. */
export type PricedFixture = Readonly<{
  url: string
  /** Turns online payment on or off. */
  sell: (isSold: boolean) => Promise<void>
  quotaOf: (username: string) => Promise<number>
  /** The list of prices with `count` models in place of its own. */
  listOf: (count: number) => Promise<object>
  stop: () => Promise<void>
}>

const options: Readonly<Record<string, unknown>> = {
  ModelRatio: { 'gpt-4o': 1.25, 'deepseek-chat': 0.135, 'qwen-plus': 10, 'claude-x': 1.5, hidden: 1 },
  ModelPrice: { 'dall-e-3': 0.04 },
  CacheRatio: { 'gpt-4o': 0.5 },
  ImageRatio: { 'gpt-4o': 3 },
  PriceSteps: { 'gpt-4o': [{ above: 100_000, input: 2, output: 1.5 }] },
  GroupRatio: { default: 1, vip: 6, staff: 0.1, team: 4 },
  GroupGroupRatio: { team: { default: 0.9 } },
  UserUsableGroups: { default: 'default group', vip: 'vip group' },
}

/** Starts the console; `member` has the group `team` and a quota of 1,000. */
export async function pricedFixture(): Promise<PricedFixture> {
  const { url, root, channel, person, inner, stop } = await servedVendor()
  const set = async (key: string, value: unknown) => dataOf(await root.put('/api/option', { key, value }))
  for (const [key, value] of Object.entries(options)) await set(key, JSON.stringify(value))
  await channel({ models: 'gpt-4o,deepseek-chat,qwen-plus,unpriced-model', group: 'default,vip,team' })
  await channel({ models: 'claude-x,dall-e-3', group: 'vip' })
  await channel({ models: 'hidden', group: 'staff' })
  await person('member')
  await inner.db.updateTable('users').set({ group: 'team', quota: 1000 }).where('username', '=', 'member').execute()
  return {
    url,
    stop,
    async sell(isSold) {
      await set('Price', 2)
      await set('USDExchangeRate', 8)
      for (const key of ['PayAddress', 'EpayId', 'EpayKey']) await set(key, isSold ? 'https://pay.example' : '')
    },
    async quotaOf(username) {
      const query = inner.db.selectFrom('users').select('quota').where('username', '=', username)
      return (await query.executeTakeFirstOrThrow()).quota
    },
    async listOf(count) {
      const { body } = await root.get('/api/pricing')
      const [first]: ListedPrice[] = body.data
      const named = (_: unknown, place: number) => ({ ...first, model_name: `model${String(place).padStart(4, '0')}` })
      return { ...body, data: Array.from({ length: count }, named) }
    },
  }
}
