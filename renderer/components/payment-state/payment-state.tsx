import { Callout, type Intent } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { wallet } from '../../../shared/api/wallet.ts'
import { orderStatus } from '../../../shared/enums.ts'
import { groupMoney } from '../../../shared/money.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { useTranslation } from '../../translation.ts'
import { useQuotaFormat } from '../amount.ts'

const POLL_MS = 3000

/** The state of one of the user's orders; polled until it is paid, which refreshes the balance everywhere. */
export function PaymentState({ tradeNo }: { tradeNo: string }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const queries = useQueryClient()
  const { data, error } = usePolled({
    queryKey: [`${areaOf(wallet.order)}-order`, tradeNo],
    read: (manner) => send(wallet.order, { params: { trade_no: tradeNo } }, manner),
    everyMs: (data) => (data?.status === orderStatus.paid ? false : POLL_MS),
    retry: false,
  })
  const isPaid = data?.status === orderStatus.paid
  useEffect(() => {
    if (isPaid) void queries.invalidateQueries({ queryKey: [areaOf(wallet.order)] })
  }, [isPaid, queries])
  if (!data) {
    if (!error) return null
    return (
      <Callout compact intent="danger" role="status">
        {t('payment.failed', { order: tradeNo, reason: error.message })}
      </Callout>
    )
  }
  const state = states.get(data.status) ?? pending
  const values = { order: tradeNo, money: `¥${groupMoney(data.money)}`, amount: format(data.quota) }
  return (
    <Callout compact intent={state.intent} role="status" className="payment-state">
      {t(state.text, values)}
    </Callout>
  )
}

type State = Readonly<{ intent: Intent; text: 'payment.pending' | 'payment.success' | 'payment.expired' }>

const pending: State = { intent: 'warning', text: 'payment.pending' }
const states: ReadonlyMap<string, State> = new Map<string, State>([
  [orderStatus.paid, { intent: 'success', text: 'payment.success' }],
  [orderStatus.expired, { intent: 'none', text: 'payment.expired' }],
])
