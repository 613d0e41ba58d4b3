import { formatQuota } from '../../shared/money.ts'
import type { Settings } from './settings.ts'

/** Formats a quota by the current settings; dollars get `decimals` decimal places. */
export const quotaFormatter =
  (settings: Pick<Settings, 'get'>, decimals = 6) =>
  (quota: number): string =>
    formatQuota(
      quota,
      { inCurrency: settings.get('DisplayInCurrencyEnabled'), quotaPerUnit: settings.get('QuotaPerUnit') },
      decimals,
    )
