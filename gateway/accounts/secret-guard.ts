import { nested } from '../../shared/messages/format.ts'
import { isOptionKey, labelOf, optionKeys, options } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { OptionChange } from './root-guard.ts'

/**
 * A secret stays with the host it was entered for: refuses another address, or none, beside a stored secret that is neither
 * entered again nor removed in the same change (docs/reference/security.md#secrets-stay-where-they-were-entered-for).
 */
export function guardSecrets(changes: readonly OptionChange[], settings: Pick<Settings, 'get'>): void {
  const wanted = new Map(changes.map(({ key, value }) => [key, value]))
  for (const secret of optionKeys) {
    const address = options[secret].sentTo ?? ''
    const next = wanted.get(address)
    const before = isOptionKey(address) ? originOf(String(settings.get(address))) : ''
    const isMoved = next !== undefined && before !== '' && originOf(next) !== before
    if (isMoved && !wanted.has(secret) && settings.get(secret) !== '')
      throw refuse('invalid', 'option.secret_again', { secret: nested(labelOf(secret)) })
  }
}

/** Of an address of the web its origin, else the host itself. */
const originOf = (address: string): string => {
  const typed = address.trim().toLowerCase()
  return typed.includes('://') ? (URL.parse(typed)?.origin ?? typed) : typed
}
