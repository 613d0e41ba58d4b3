import type { Status } from '../../shared/api/status.ts'
import { isWebLink } from '../../shared/links.ts'
import { useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import type { TextKey } from '../i18n.ts'

/** A public page of the console, or the operator's external documentation. */
type ShellLink = Readonly<{ text: TextKey } & ({ to: string } | { href: string })>

/** The links next to the name, in order (docs/reference/screens.md#shell). */
export const useShellLinks = (): readonly ShellLink[] => shellLinksFor(useUser() !== undefined, useStatus())

/** The links of a visitor or a signed-in user; only a signed-in user has the link to the console. */
export function shellLinksFor(isSignedIn: boolean, status: Pick<Status, 'docs_link'>): readonly ShellLink[] {
  const href = status.docs_link
  return [
    { to: '/', text: 'label.home' },
    ...(isSignedIn ? [{ to: '/detail', text: 'label.console' } as const] : []),
    { to: '/pricing', text: 'label.pricing' },
    ...(isWebLink(href) ? [{ href, text: 'label.docs' } as const] : []),
    { to: '/about', text: 'label.about' },
  ]
}
