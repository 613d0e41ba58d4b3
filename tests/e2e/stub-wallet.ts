import type { Page } from '@playwright/test'

const code = {
  user_id: 1,
  status: 1,
  name: 'Spring 2026',
  quota: 5_000_000,
  created_time: 1_767_225_600,
  redeemed_time: 0,
  count: 0,
  used_user_id: 0,
  used_username: '',
  expired_time: 0,
  DeletedAt: null,
}

/** A code in each state, with names and amounts of all lengths. */
const codes = [
  { ...code, id: 1042, key: '8a0c4f1e9b7d42538a0c4f1e9b7d4253' },
  { ...code, id: 1041, key: '0f34b6a5d1e84c0f9b21aa03c4d5e6f7', status: 2, name: '新年活动兑换码二〇二六年度特别礼' },
  {
    ...code,
    id: 1040,
    key: '77777777777777777777777777777777',
    status: 3,
    quota: 500_000_000_000,
    used_user_id: 7,
    used_username: 'wilhelmina_k',
    redeemed_time: 1_767_312_000,
  },
  { ...code, id: 1039, key: 'abcdefabcdefabcdefabcdefabcdefab', name: '$10.00', expired_time: 1_767_312_000 },
  { ...code, id: 1038, key: 'OLD-CODE', name: 'imported', expired_time: 4_102_444_800, quota: 1 },
]

const order = {
  trade_no: 'USR7NOk3Jf8sLq0Z1767225600',
  amount: 10,
  money: '73.00',
  quota: 5_000_000,
  payment_method: 'zfb',
  status: 'success',
  create_time: 1_767_225_600,
  complete_time: 1_767_225_660,
  user_id: 7,
  username: 'wilhelmina_k',
  provider_trade_no: '2026010122001400000000000001',
}

const orders = [
  {
    ...order,
    id: 3,
    status: 'pending',
    trade_no: 'USR7NOaaaaaaaaaa1767225700',
    complete_time: 0,
    provider_trade_no: '',
  },
  { ...order, id: 2 },
  {
    ...order,
    id: 1,
    status: 'expired',
    trade_no: 'USR12345NObbbbbbbbbb1767225500',
    complete_time: 0,
    money: '7300000.00',
    quota: 500_000_000_000,
    payment_method: 'usdt',
    user_id: 9,
    username: '',
  },
]

const report = (page: Page, path: RegExp, data: unknown) =>
  page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))
const pageOf = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

/** Stubs these codes and orders. */
export async function listsCodes(page: Page): Promise<void> {
  await report(page, /\/api\/redemption\?/, pageOf(codes))
  await report(page, /\/api\/user\/topup\?/, pageOf(orders))
}

export async function makesCodes(page: Page): Promise<void> {
  await listsCodes(page)
  const keys = codes.map(({ key }) => key)
  await page.route(/\/api\/redemption$/, (route) => route.fulfill({ json: { success: true, message: '', data: keys } }))
}

/** Stubs online payment with existing orders, and the creation of an order that stays unpaid. */
export async function sells(page: Page): Promise<void> {
  await page.route(/\/api\/status$/, async (route) => {
    const { data } = await (await route.fetch()).json()
    const methods = [
      { name: 'Alipay', type: 'zfb', color: 'blue' },
      { name: 'WeChat', type: 'wx', color: 'green' },
      { name: 'USDT', type: 'usdt' },
    ]
    const told = { ...data, enable_online_topup: true, top_up_link: 'https://shop.example', pay_methods: methods }
    await route.fulfill({ json: { success: true, message: '', data: told } })
  })
  await report(page, /\/api\/user\/topup\/self\?/, pageOf(orders))
  await report(page, /\/api\/user\/topup\/self\/USR/, orders[0])
  await report(page, /\/api\/user\/topup$/, 5_000_000)
  await page.route(/\/api\/user\/amount$/, (route) =>
    route.fulfill({ json: { success: true, message: 'success', data: '73.00' } }),
  )
  await page.route(/\/api\/user\/pay$/, (route) =>
    route.fulfill({
      json: { success: true, message: 'success', data: { out_trade_no: order.trade_no }, url: '', page: 'about:blank' },
    }),
  )
  const rows = ['Redeemed $10.000000, code ID 1040', 'Online top-up $10.000000, paid 73.00'].map((content, place) => ({
    id: place + 1,
    created_at: 1_767_225_600 + place * 1000,
    type: 1,
    content,
  }))
  await report(page, /\/api\/log\/self\?.*type=1/, pageOf(rows))
}
