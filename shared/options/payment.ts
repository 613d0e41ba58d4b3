import { between, jsonOf, line, ownAddress, rate } from './kinds.ts'
import { option } from './option.ts'
import { groupRatios, payMethods } from './shapes.ts'

/** Online top-up through an Epay merchant (docs/reference/options.md#areas). */
export const payment = {
  PayAddress: option({ ...ownAddress, default: '', panel: 'system/payment' }),
  EpayId: option({ ...line, default: '', panel: 'system/payment' }),
  EpayKey: option({ ...line, default: '', panel: 'system/payment', secret: true }),
  /** Where the merchant reports payments; empty means ServerAddress. */
  CustomCallbackAddress: option({ ...ownAddress, default: '', panel: 'system/payment' }),
  /** CNY per US dollar of quota. */
  Price: option({ ...rate, default: 7.3, panel: 'system/payment', publishAs: 'price' }),
  /** In US dollars. */
  MinTopUp: option({ ...between(1, 1_000_000), default: 1, panel: 'system/payment', publishAs: 'min_topup' }),
  TopupGroupRatio: option({
    ...jsonOf(groupRatios),
    default: { default: 1, vip: 1, svip: 1 },
    panel: 'system/payment',
  }),
  PayMethods: option({
    ...jsonOf(payMethods),
    default: [
      { name: 'Alipay', type: 'zfb', color: 'blue' },
      { name: 'WeChat', type: 'wx', color: 'green' },
    ],
    panel: 'system/payment',
    publishAs: 'pay_methods',
  }),
}
