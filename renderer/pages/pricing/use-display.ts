import { useState } from 'react'
import { type PriceDisplay, shownPrice } from '../../../shared/pricing.ts'
import { useStatus } from '../../api/status.ts'

export type Display = Readonly<{
  hasRatios: boolean
  showRatios: (hasRatios: boolean) => void
  /** Quota can be bought, so its cost can be shown. */
  canRecharge: boolean
  isRecharge: boolean
  showRecharge: (isRecharge: boolean) => void
  currency: PriceDisplay['currency']
  showIn: (currency: PriceDisplay['currency']) => void
  /** CNY per dollar of quota. */
  rechargePrice: number
  money: (dollars: number) => string
}>

/** Dollars by default; yuan and recharge cost only if quota can be bought (docs/reference/screens.md#pricing). */
export function useDisplay(): Display {
  const { enable_online_topup: canRecharge, price, usd_exchange_rate: exchangeRate } = useStatus()
  const [hasRatios, setRatios] = useState(false)
  const [wantsRecharge, setWantsRecharge] = useState(false)
  const [wanted, setWanted] = useState<PriceDisplay['currency']>('USD')
  const isRecharge = canRecharge && wantsRecharge
  const currency = canRecharge ? wanted : 'USD'
  return {
    hasRatios,
    showRatios: setRatios,
    canRecharge,
    isRecharge,
    showRecharge: setWantsRecharge,
    currency,
    showIn: setWanted,
    rechargePrice: price,
    money: (dollars) => shownPrice(dollars, { currency, isRecharge, price, exchangeRate }),
  }
}
