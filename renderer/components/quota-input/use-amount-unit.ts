import * as z from 'zod/mini'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { groupMoney, priceOfQuota, quotaOfPrice } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { useStored } from '../../api/stored.ts'
import { useTranslation } from '../../translation.ts'

export type AmountUnit = Readonly<{
  id: 'price' | 'quota'
  isPrice: boolean
  /** False for dollars if the operator has not set the quota per unit. */
  isUsable: boolean
  /** The unit's short form, shown at the field, and its full name. */
  sign: string
  title: string
  /** Parses a text to quota; undefined if invalid. */
  read: (text: string) => number | undefined
  /** Formats quota as a text that `read` parses to the same amount. */
  write: (quota: number) => string
  /** The amount with its unit, for users of the other unit. */
  name: (quota: number) => string
}>

type UnitChoice = Readonly<{ unit: AmountUnit; other: AmountUnit; change: () => void }>

/** The unit of all amount fields: the last choice, else dollars if the operator displays currency. */
export function useAmountUnit(): UnitChoice {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const [chosen, choose] = useStored('amount-unit', unitId)
  const price: AmountUnit = {
    id: 'price',
    isPrice: true,
    isUsable: quotaPerUnit > 0,
    sign: '$',
    title: t('quota.dollars'),
    read: (text) => quotaOfPrice(text, quotaPerUnit),
    write: (quota) => priceOfQuota(quota, quotaPerUnit),
    name: (quota) =>
      quotaPerUnit > 0 ? withSign(quota, (size) => `$${groupMoney(priceOfQuota(size, quotaPerUnit))}`) : '',
  }
  const quota: AmountUnit = {
    id: 'quota',
    isPrice: false,
    isUsable: true,
    sign: t('quota.sign'),
    title: t('quota.sign'),
    read: wholeIn,
    write: String,
    name: (amount) => t('quota.exact', { n: amount.toLocaleString('en') }),
  }
  const isPrice = price.isUsable && (chosen ?? (inCurrency ? 'price' : 'quota')) === 'price'
  const [unit, other] = isPrice ? [price, quota] : [quota, price]
  return { unit, other, change: () => choose(other.id) }
}

/** The unit for amounts that may be negative, such as a balance or a deduction. */
export const signed = (unit: AmountUnit): AmountUnit => ({
  ...unit,
  read: (text) => {
    const size = unit.read(text.trim().replace(minus, ''))
    return size !== undefined && minus.test(text.trim()) ? 0 - size : size
  },
  write: (quota) => withSign(quota, unit.write),
  name: (quota) => withSign(quota, unit.name),
})

/** The sign of a negative amount: a hyphen as typed, or a minus sign as printed. */
const minus = /^[-−]\s*/

const withSign = (quota: number, write: (size: number) => string): string =>
  quota < 0 ? `-${write(-quota)}` : write(quota)

const unitId = z.enum(['price', 'quota'])

/** Parses a whole amount, with or without groups of three. */
function wholeIn(text: string): number | undefined {
  const plain = text.trim()
  if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return undefined
  const amount = Number(plain.replaceAll(',', ''))
  return amount <= MAX_QUOTA ? amount : undefined
}
