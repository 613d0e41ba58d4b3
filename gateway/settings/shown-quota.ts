import { formatQuota } from '../../shared/money.ts'
import type { Settings } from './settings.ts'

/** A quota in words, as the settings have it at that moment; with six decimals, or so many, where that is dollars. */
export const shownBy =
  (settings: Pick<Settings, 'get'>, decimals = 6) =>
  (quota: number): string =>
    formatQuota(
      quota,
      { inCurrency: settings.get('DisplayInCurrencyEnabled'), quotaPerUnit: settings.get('QuotaPerUnit') },
      decimals,
    )
