import type { Status } from '../../shared/api/status.ts'
import { isWebLink } from '../../shared/links.ts'
import { useStatus } from '../api/status.ts'
import type { TextKey } from '../i18n.ts'

/** A public page of the console, or the operator's external documentation. */
type ShellLink = Readonly<{ text: TextKey } & ({ to: string } | { href: string })>

/** The links next to the name, in order (docs/reference/screens.md#shell). */
export const useShellLinks = (): readonly ShellLink[] => shellLinksFor(useStatus())

export const shellLinksFor = ({ docs_link: href }: Pick<Status, 'docs_link'>): readonly ShellLink[] => [
  { to: '/', text: 'label.home' },
  { to: '/pricing', text: 'label.pricing' },
  ...(isWebLink(href) ? [{ href, text: 'label.docs' } as const] : []),
  { to: '/about', text: 'label.about' },
]
