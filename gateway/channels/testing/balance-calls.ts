import { z } from 'zod'
import type { BalanceKind } from '../../../shared/channel-types.ts'

/** Requests `path` below the channel's address with its key and returns the JSON. */
export type QueryUpstream = (path: string) => Promise<unknown>

type VendorBalance = Readonly<{ amount: number; currency: 'USD' | 'CNY' }>

const amount = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number())
const subscription = z.object({ hard_limit_usd: amount, has_payment_method: z.boolean().catch(false) })
const currencyBalance = z.object({ currency: z.string(), total_balance: amount })
const MAX_CURRENCIES = 100
const DAY_MS = 86_400_000
/** Days of usage that are summed for accounts without a payment method. */
const FREE_DAYS = 100

/**
 * How the balance of each kind of account is read (docs/reference/channels.md#balances). All paths are below the
 * channel's address (for AI Proxy's own, below its account API), so a key is never sent to a host the administrator
 * replaced. Throws a ZodError if the response has another shape.
 */
export const balanceCalls: Record<BalanceKind, (query: QueryUpstream, nowMs: number) => Promise<VendorBalance>> = {
  'openai-billing': async (get, nowMs) => {
    const { hard_limit_usd, has_payment_method } = subscription.parse(await get('/v1/dashboard/billing/subscription'))
    const today = dayOf(nowMs)
    const start = has_payment_method ? `${today.slice(0, 7)}-01` : dayOf(nowMs - FREE_DAYS * DAY_MS)
    const usage = await get(`/v1/dashboard/billing/usage?start_date=${start}&end_date=${today}`)
    return dollars(hard_limit_usd - z.object({ total_usage: amount }).parse(usage).total_usage / 100)
  },
  aiproxy: async (get) => {
    const { data } = z
      .object({ data: z.object({ totalPoints: amount }) })
      .parse(await get('/api/report/getUserOverview'))
    return dollars(data.totalPoints)
  },
  api2gpt: async (get) => {
    const answer = await get('/dashboard/billing/credit_grants')
    return dollars(z.object({ total_remaining: amount }).parse(answer).total_remaining)
  },
  aigc2d: async (get) => {
    const answer = await get('/dashboard/billing/credit_grants')
    return dollars(z.object({ total_available: amount }).parse(answer).total_available)
  },
  openrouter: async (get) => {
    const credits = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) })
    const { data } = credits.parse(await get('/v1/credits'))
    return dollars(data.total_credits - data.total_usage)
  },
  siliconflow: async (get) => {
    const info = z.object({ code: z.literal(20_000), data: z.object({ totalBalance: amount }) })
    return yuan(info.parse(await get('/v1/user/info')).data.totalBalance)
  },
  deepseek: async (get) => {
    const answer = z.object({ balance_infos: z.array(z.unknown()) }).parse(await get('/user/balance'))
    const balance_infos = z.array(currencyBalance).parse(answer.balance_infos.slice(0, MAX_CURRENCIES))
    const inYuan = balance_infos.find(({ currency }) => currency === 'CNY')
    if (inYuan) return yuan(inYuan.total_balance)
    const inDollars = z
      .object({ total_balance: amount })
      .parse(balance_infos.find(({ currency }) => currency === 'USD'))
    return dollars(inDollars.total_balance)
  },
  moonshot: async (get) => {
    const answer = z.object({ data: z.object({ available_balance: amount }) }).parse(await get('/v1/users/me/balance'))
    return yuan(answer.data.available_balance)
  },
}

const dollars = (value: number): VendorBalance => ({ amount: value, currency: 'USD' })
const yuan = (value: number): VendorBalance => ({ amount: value, currency: 'CNY' })
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
