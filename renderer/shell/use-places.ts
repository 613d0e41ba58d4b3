import { isWebLink } from '../../shared/links.ts'
import { useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import type { TextKey } from '../i18n.ts'

/** A page of the console that everybody may see, or the operator's documentation at an address of its own. */
export type Place = Readonly<{ text: TextKey } & ({ to: string } | { href: string })>

/** The places beside the name, in their order (docs/reference/screens.md#shell). */
export function usePlaces(): readonly Place[] {
  const user = useUser()
  const { docs_link: href, enable_data_export: isKept } = useStatus()
  return [
    { to: '/', text: 'label.home' },
    ...(user ? [{ to: isKept ? '/detail' : '/token', text: 'label.console' } as const] : []),
    { to: '/pricing', text: 'label.pricing' },
    ...(isWebLink(href) ? [{ href, text: 'label.docs' } as const] : []),
    { to: '/about', text: 'label.about' },
  ]
}
