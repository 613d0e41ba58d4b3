import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { wallet } from '../../../shared/api/wallet.ts'
import { groupMoney } from '../../../shared/money.ts'
import { sendWhole } from '../../api/client.ts'
import { isDesktop } from '../../api/desktop.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { useStatus } from '../../api/status.ts'
import { areaOf } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { PaymentState } from '../../components/payment-state/payment-state.tsx'
import { clearToasts } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import type { Purchase } from './online.tsx'

manageFocus()

type PayDialogProps = Readonly<{ purchase: Purchase; onClose: () => void }>

type Leaving = Readonly<{ tradeNo: string; page: string }>

/**
 * Confirms a purchase, creates the order, opens the provider's page in a new window, and waits. Mount it to open it.
 */
export function PayDialog({ purchase, onClose }: PayDialogProps) {
  const { t } = useTranslation()
  const { mutate, isPending, data: left } = usePay()
  const actions = left ? (
    <Button text={t('label.close')} onClick={onClose} />
  ) : (
    <>
      <Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />
      <Button intent="primary" text={t('wallet.pay')} loading={isPending} onClick={() => mutate(purchase)} />
    </>
  )
  return (
    <Dialog
      className="fits-window"
      title={t(left ? 'wallet.waitingTitle' : 'wallet.confirm')}
      isCloseButtonShown={false}
      canOutsideClickClose={!left && !isPending}
      isOpen
      onClose={() => !isPending && onClose()}
    >
      <DialogBody>{left ? <Waiting left={left} /> : <Bill purchase={purchase} />}</DialogBody>
      <DialogFooter actions={actions} />
    </Dialog>
  )
}

/** The order has one idempotency key while the dialog is open, so that it is created only once. */
function usePay() {
  const queries = useQueryClient()
  const [key] = useState(randomKey)
  return useMutation({
    mutationFn: async ({ amount, method }: Purchase): Promise<Leaving> => {
      const body = { amount, payment_method: method.type, idempotency_key: key }
      const { data, extras } = await sendWhole(wallet.pay, { body })
      return { tradeNo: data.out_trade_no ?? '', page: extras.page }
    },
    onMutate: clearToasts,
    onSuccess: ({ page }) => {
      // The browser may block the window; the dialog also has a link.
      window.open(page, '_blank', 'noopener')
      void queries.invalidateQueries({ queryKey: [areaOf(wallet.orders)] })
    },
  })
}

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

function Bill({ purchase: { amount, money, method } }: { purchase: Purchase }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { display_in_currency: isDollars } = useStatus()
  return (
    <dl className="topup-bill">
      <div>
        <dt>{t('wallet.credited')}</dt>
        <dd className="tabular">{isDollars ? `$${amount}` : format(amount)}</dd>
      </div>
      <div>
        <dt>{t('wallet.money')}</dt>
        <dd className="tabular">¥{groupMoney(money)}</dd>
      </div>
      <div>
        <dt>{t('wallet.method')}</dt>
        <dd>{method.name}</dd>
      </div>
    </dl>
  )
}

function Waiting({ left: { tradeNo, page } }: { left: Leaving }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t(isDesktop() ? 'wallet.leavingDesktop' : 'wallet.leaving')}</p>
      <p>
        <a className={Classes.BUTTON} href={page} target="_blank" rel="noopener">
          {t('wallet.openAgain')}
        </a>
      </p>
      <PaymentState tradeNo={tradeNo} />
    </>
  )
}
