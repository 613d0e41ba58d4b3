import type { OptionKey } from '../../../../shared/options/index.ts'
import type { TextKey } from '../../../i18n.ts'

/** The unit of a number whose name does not say it. */
export const unitOf = (option: OptionKey): TextKey | undefined => units[option]

const units: Readonly<Partial<Record<OptionKey, TextKey>>> = {
  QuotaPerUnit: 'settings.unit.quota',
  USDExchangeRate: 'settings.unit.cny',
  Price: 'settings.unit.cny',
  PreConsumedQuota: 'settings.unit.tokens',
  DefaultMaxOutput: 'settings.unit.tokens',
}
