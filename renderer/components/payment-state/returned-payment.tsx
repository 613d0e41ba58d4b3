import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { loadTexts } from '../../i18n.ts'
import { later } from '../later.tsx'

const PaymentState = later(async () => {
  const [{ PaymentState: Part }] = await Promise.all([import('./payment-state.tsx'), loadTexts(['wallet'])])
  return Part
})

/**
 * How the order stands with which somebody comes back from a payment provider. What the provider has put into the address leaves
 * it: it means nothing here, and is signed.
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
