import { type OptionKey, optionsIn } from './index.ts'
import type { PanelName } from './panels.ts'

/**
 * Options that wait for the part that will read them; the settings say so beside them (docs/reference/options.md#areas). It
 * may only shrink: whoever builds a part takes its options out (tests/options-are-read.test.ts).
 */
export const waiting: Readonly<Record<string, readonly OptionKey[]>> = {
  'the wallet and online top-up': ['TopUpLink', 'MinTopUp', 'TopupGroupRatio', 'PayMethods', 'CustomCallbackAddress'],
  'the data dashboard': ['DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime'],
}

/** Already read, by what permits frames or shows prices alone: the part that they belong to is missing all the same. */
const withoutTheirPart: readonly OptionKey[] = ['PayAddress', 'EpayId', 'EpayKey', 'Price']

const inEffectLater: ReadonlySet<OptionKey> = new Set([...Object.values(waiting).flat(), ...withoutTheirPart])

/** Whether what a setting is for is not here yet, so that changing it changes nothing that anybody would expect of it. */
export const isWaiting = (key: OptionKey): boolean => inEffectLater.has(key)

/** Whether none of a panel's settings is in effect yet. */
export const isAllWaiting = (panel: PanelName): boolean => optionsIn(panel).every(isWaiting)
