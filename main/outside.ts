import { isChatLink, isImportLink, isPaymentPage, isWebLink, schemeOf } from '../shared/links.ts'

export type Chats = readonly Readonly<Record<string, string>>[]

/**
 * The address to pass to the system for a link that leaves the window: web, mail, an import into another program, or
 * a chat preset's program. Undefined for anything else, because the system would start any program with a registered
 * scheme (docs/reference/security.md#desktop).
 */
export function outsideAddress(target: string, chats: Chats): string | undefined {
  const href = URL.parse(target)?.href
  if (href === undefined) return undefined
  if (isWebLink(href) || isImportLink(href) || href.startsWith('mailto:')) return href
  return isChatLink(href) && schemesOf(chats).has(schemeOf(href)) ? href : undefined
}

/** The address that an embedded external page may ask to open: web addresses only. */
export function outsideAddressOfFrame(target: string): string | undefined {
  const href = URL.parse(target)?.href
  return href !== undefined && isWebLink(href) ? href : undefined
}

/** Whether a console address belongs in the system's browser: payments end on the provider's pages. */
export const isForBrowser = (target: string): boolean => isPaymentPage(URL.parse(target)?.pathname ?? '')

const schemesOf = (chats: Chats): ReadonlySet<string | undefined> =>
  new Set(chats.flatMap((chat) => Object.values(chat).filter(isChatLink).map(schemeOf)))
