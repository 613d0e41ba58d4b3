import { flag } from './kinds.ts'
import { option } from './option.ts'

/** Midjourney drawings and other tasks (docs/reference/options.md#areas). */
export const drawing = {
  DrawingEnabled: option({ ...flag, default: true, panel: 'operation/drawing', publishAs: 'enable_drawing' }),
  TaskEnabled: option({ ...flag, default: true, panel: 'operation/drawing', publishAs: 'enable_task' }),
  MjNotifyEnabled: option({ ...flag, default: false, panel: 'operation/drawing', publishAs: 'mj_notify_enabled' }),
  MjAccountFilterEnabled: option({ ...flag, default: false, panel: 'operation/drawing' }),
  MjForwardUrlEnabled: option({ ...flag, default: true, panel: 'operation/drawing' }),
  MjModeClearEnabled: option({ ...flag, default: false, panel: 'operation/drawing' }),
  MjActionCheckSuccessEnabled: option({ ...flag, default: true, panel: 'operation/drawing' }),
}
