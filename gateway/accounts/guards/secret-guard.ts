import { nested } from '../../../shared/messages/format.ts'
import { isOptionKey, labelOf, optionKeys, options } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { OptionChange } from './root-guard.ts'

/**
 * A secret stays with the host it was entered for: throws if the origin of its address changes, or the address is
 * cleared, while the secret is stored and neither re-entered nor removed in the same change
 * (docs/reference/security.md#secrets-and-their-addresses).
 */
export function guardSecrets(changes: readonly OptionChange[], settings: Pick<Settings, 'get'>): void {
  const newValues = new Map(changes.map(({ key, value }) => [key, value]))
  for (const secret of optionKeys) {
    const address = options[secret].sentTo ?? ''
    const next = newValues.get(address)
    const before = isOptionKey(address) ? originOf(String(settings.get(address))) : ''
    const isMoved = next !== undefined && before !== '' && originOf(next) !== before
    if (isMoved && !newValues.has(secret) && settings.get(secret) !== '')
      throw refuse('invalid', 'option.secret_again', { secret: nested(labelOf(secret)) })
  }
}

const originOf = (address: string): string => {
  const typed = address.trim().toLowerCase()
  return typed.includes('://') ? (URL.parse(typed)?.origin ?? typed) : typed
}
