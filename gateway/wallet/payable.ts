import { MAX_QUOTA } from '../../shared/api/fields.ts'
import { decimal, rounded, roundedQuotient, roundedUp, times } from '../../shared/decimal.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'

type Payable = Readonly<{
  /** Whole US dollars, rounded down. */
  dollars: number
  quota: number
  /** The price in hundredths. */
  cents: number
}>

const MAX_DOLLARS = 1_000_000
/** No provider accepts a larger payment, and whole cents up to this amount are exact. */
const MAX_CENTS = 1_000_000_000_000

/**
 * Computes the price exactly and rounds it once, half up to the cent (docs/reference/wallet.md#amounts). The amount is
 * in US dollars, or in quota if amounts are not shown in currency; a group without a ratio, or with ratio 0, pays the
 * full price.
 */
export function payableOf(amount: number, group: string, settings: Pick<Settings, 'get'>): Payable {
  const perDollar = decimal(settings.get('QuotaPerUnit'))
  const isDollars = settings.get('DisplayInCurrencyEnabled')
  const min = settings.get('MinTopUp')
  const minimum = isDollars ? min : roundedUp(times(decimal(min), perDollar))
  if (amount < minimum) throw refuse('invalid', 'pay.min', { n: minimum })
  const exactAmount = decimal(amount)
  const price = times(decimal(settings.get('Price')), decimal(ratioOf(group, settings.get('TopupGroupRatio'))))
  const inCents = times(times(exactAmount, price), decimal(100))
  const payable = {
    dollars: isDollars ? amount : Math.floor(amount / settings.get('QuotaPerUnit')),
    quota: isDollars ? rounded(times(exactAmount, perDollar)) : amount,
    cents: isDollars ? rounded(inCents) : roundedQuotient(inCents, perDollar),
  }
  if (payable.dollars > MAX_DOLLARS || payable.quota < 1 || payable.quota > MAX_QUOTA || payable.cents > MAX_CENTS)
    throw refuse('invalid', 'param.invalid')
  if (payable.cents < 1) throw refuse('invalid', 'pay.low')
  return payable
}

function ratioOf(group: string, ratios: Readonly<Record<string, number>>): number {
  const ratio = Object.hasOwn(ratios, group) ? ratios[group] : undefined
  return ratio || 1
}
