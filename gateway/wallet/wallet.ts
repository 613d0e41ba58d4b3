import { type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import { createOrders, type Orders, type OrdersDeps } from './orders.ts'
import { createPaymentNotices, type PaymentNotices } from './payment-notice.ts'
import { createRedeem, type Redeem, type RedeemDeps } from './redeem.ts'
import { createRedemptionCodes, type RedemptionCodes, type RedemptionCodesDeps } from './redemption-codes.ts'

/** Ways to add to a balance: codes, and orders paid online (docs/reference/wallet.md). */
export interface Wallet {
  codes: RedemptionCodes
  redeem: Redeem
  orders: Orders
  notices: PaymentNotices
  stop(): Promise<void>
}

type WalletDeps = OrdersDeps & RedeemDeps & RedemptionCodesDeps & Readonly<{ log: Logger; jobs: Jobs }>

const CLEANUP_MS = 3_600_000

/** Also starts the hourly job that expires unpaid orders. */
export function createWallet(deps: WalletDeps): Wallet {
  const orders = createOrders(deps)
  const expiry = deps.jobs.begin({
    name: 'unpaid-orders',
    everyMs: CLEANUP_MS,
    removesByAge: true,
    work: async () => {
      const n = await orders.expireOld()
      return n > 0 ? { key: 'job.expired', params: { n } } : nothingDue
    },
  })
  return {
    codes: createRedemptionCodes(deps),
    redeem: createRedeem(deps),
    orders,
    notices: createPaymentNotices({ ...deps, orders }),
    stop: expiry.stop,
  }
}
