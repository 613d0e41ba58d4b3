import { Button, Callout } from '@blueprintjs/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { wallet } from '../../../shared/api/wallet.ts'
import { groupMoney } from '../../../shared/money.ts'
import { send } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { areaOf } from '../../api/use-call.ts'
import { later } from '../../components/later.tsx'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { Presets } from '../../components/presets/presets.tsx'
import { useTranslation } from '../../translation.ts'
import { intentOf, type PayMethod, usableMethods } from './pay-method.ts'
import { WalletSection } from './wallet-section.tsx'

const PayDialog = later(async () => (await import('./pay-dialog.tsx')).PayDialog)

export type Purchase = Readonly<{ amount: number; money: string; method: PayMethod }>

/** Buys quota from the operator (docs/reference/screens.md#wallet). */
export function OnlineTopUp() {
  const { t } = useTranslation()
  const { enable_online_topup: isOn } = useStatus()
  const { unit } = useUnit()
  return (
    <WalletSection title={t('wallet.online')}>
      {/* Remounted for another unit, in which the typed amount would mean something else. */}
      {isOn ? <Purchasing key={unit} /> : <Callout compact>{t('pay.off')}</Callout>}
    </WalletSection>
  )
}

function Purchasing() {
  const { t } = useTranslation()
  const { unit, min, isDollars } = useUnit()
  const [amount, setAmount] = useState<number | undefined>(min)
  const [isChecked, setChecked] = useState(false)
  const [bought, setBought] = useState<Purchase>()
  const isTooLow = amount === undefined || amount < min
  const payable = usePayable(isTooLow ? undefined : amount)
  const minimum = t('pay.min', { n: min })
  const problem = isTooLow ? isChecked && minimum : payable.problem
  const choose = (method: PayMethod) => {
    setChecked(true)
    if (amount !== undefined && payable.money !== undefined) setBought({ amount, money: payable.money, method })
  }
  const change = (next: number | undefined) => {
    setAmount(next)
    setChecked(false)
  }
  const presets = usualDollars.map((dollars) => Math.round(dollars * unit)).filter((preset) => preset >= min)
  return (
    <>
      <NumberField
        label={t(isDollars ? 'wallet.amountDollars' : 'wallet.amountQuota')}
        value={amount}
        onValue={change}
        min={1}
        max={1_000_000 * Math.max(1, Math.ceil(unit))}
        hint={t('wallet.least', { n: min })}
        {...(problem ? { error: problem } : {})}
      />
      <Presets
        label={t('wallet.presets')}
        presets={presets.map((preset) => ({ text: isDollars ? `$${preset}` : String(preset), value: () => preset }))}
        onChoose={change}
      />
      <p className="topup-payable" role="status">
        {payable.money === undefined
          ? t('wallet.reckoning')
          : t('wallet.toPay', { money: `¥${groupMoney(payable.money)}` })}
      </p>
      <Methods isDisabled={!isTooLow && payable.money === undefined} onChoose={choose} />
      {bought && <PayDialog purchase={bought} onClose={() => setBought(undefined)} />}
    </>
  )
}

function useUnit() {
  const { display_in_currency: isDollars, quota_per_unit: perDollar, min_topup: min } = useStatus()
  const unit = isDollars ? 1 : perDollar
  return { isDollars, unit, min: Math.ceil(min * unit) }
}

const usualDollars = [1, 5, 10, 20, 50, 100, 500] as const

function Methods({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: (method: PayMethod) => void }) {
  const { t } = useTranslation()
  const methods = usableMethods(useStatus().pay_methods)
  if (methods.length === 0)
    return (
      <Callout compact intent="warning">
        {t('pay.config')}
      </Callout>
    )
  return (
    <fieldset className="topup-methods" aria-label={t('wallet.methods')}>
      {methods.map((method) => (
        <Button
          key={method.type}
          intent={intentOf(method)}
          text={method.name}
          disabled={isDisabled}
          onClick={() => onChoose(method)}
        />
      ))}
    </fieldset>
  )
}

/** Debounce time of the amount, in milliseconds. */
const QUIET_MS = 300

/** An amount's price, or why it cannot be bought; neither while loading, or without an amount. */
function usePayable(amount: number | undefined): Readonly<{ money?: string; problem?: string }> {
  const [debounced, setDebounced] = useState(amount)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(amount), QUIET_MS)
    return () => clearTimeout(timer)
  }, [amount])
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [areaOf(wallet.amount), wallet.amount.path, debounced],
    queryFn: ({ signal }) => send(wallet.amount, { body: { amount: debounced ?? 0 } }, { quiet: true, signal }),
    enabled: debounced !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (amount === undefined || debounced !== amount || isPlaceholderData) return {}
  if (error) return { problem: error.message }
  return data === undefined ? {} : { money: data }
}
