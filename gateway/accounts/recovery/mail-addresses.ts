import { z } from 'zod'
import { MAX_EMAIL } from '../../../shared/api/registration.ts'
import { domainsOf } from '../../../shared/options/lists.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'

/** Normalizes an email address (trim, lowercase). Throws if it is invalid or longer than 50 characters. */
export function mailAddress(typed: string): string {
  const address = typed.trim().toLowerCase()
  if (address.length > MAX_EMAIL || !z.email().safeParse(address).success) throw refuse('invalid', 'email.invalid')
  return address
}

/** Throws if the operator's rules exclude the address (docs/reference/accounts.md#registration). */
export function checkMailRules(address: string, settings: Pick<Settings, 'get'>): void {
  const [local = '', domain = ''] = address.split('@')
  const isListed = () => domainsOf(settings.get('EmailDomainWhitelist')).includes(domain)
  if (settings.get('EmailDomainRestrictionEnabled') && !isListed()) throw refuse('invalid', 'email.domain')
  if (settings.get('EmailAliasRestrictionEnabled') && /[+.]/.test(local)) throw refuse('invalid', 'email.alias')
}
