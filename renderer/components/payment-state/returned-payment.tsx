import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { loadTexts } from '../../i18n.ts'
import { later } from '../later.tsx'

const PaymentState = later(async () => {
  const [{ PaymentState: Part }] = await Promise.all([import('./payment-state.tsx'), loadTexts(['wallet'])])
  return Part
})

/**
 * The state of an order after the return from a payment provider. Removes the provider's signed parameters from the
 * address, because they are not used here.
 */
export function ReturnedPayment() {
  const [search, setSearch] = useSearchParams()
  const [tradeNo] = useState(() => search.get('out_trade_no'))
  const isReturning = search.has('out_trade_no')
  useEffect(() => {
    if (isReturning) setSearch({}, { replace: true })
  }, [isReturning, setSearch])
  return tradeNo && <PaymentState tradeNo={tradeNo} />
}
