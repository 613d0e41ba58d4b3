import { type OptionKey, optionsIn } from './index.ts'
import type { PanelName } from './panels.ts'

/**
 * Options that wait for the part that will read them; the settings say so beside them (docs/reference/options.md#areas). It
 * may only shrink: whoever builds a part takes its options out (tests/options-are-read.test.ts).
 */
export const waiting: Readonly<Record<string, readonly OptionKey[]>> = {
  'drawing and tasks': [
    'DrawingEnabled',
    'TaskEnabled',
    'MjNotifyEnabled',
    'MjAccountFilterEnabled',
    'MjForwardUrlEnabled',
    'MjModeClearEnabled',
    'MjActionCheckSuccessEnabled',
  ],
}

const inEffectLater: ReadonlySet<OptionKey> = new Set(Object.values(waiting).flat())

/** Whether what a setting is for is not here yet, so that changing it changes nothing that anybody would expect of it. */
export const isWaiting = (key: OptionKey): boolean => inEffectLater.has(key)

/** Whether none of a panel's settings is in effect yet. */
export const isAllWaiting = (panel: PanelName): boolean => optionsIn(panel).every(isWaiting)
