import { flag, lines } from './kinds.ts'
import { option } from './option.ts'

/** Blocked words (docs/reference/options.md#areas, docs/reference/limits.md#blocked-words). */
export const moderation = {
  CheckSensitiveEnabled: option({ ...flag, default: true, panel: 'operation/sensitive' }),
  CheckSensitiveOnPromptEnabled: option({ ...flag, default: true, panel: 'operation/sensitive' }),
  StopOnSensitiveEnabled: option({ ...flag, default: true, panel: null }),
  /** One word per line; read it through `linesOf`. */
  SensitiveWords: option({ ...lines, default: '', panel: 'operation/sensitive' }),
}
