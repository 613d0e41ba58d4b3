import { isChatLink, isImportLink, isPaymentPage, isWebLink, schemeOf } from '../shared/links.ts'

/** The chat presets as the operator has set them up: each a name and its address. */
export type Chats = readonly Readonly<Record<string, string>>[]

/**
 * The address to hand to the system for a link that leaves the window: of the web, of a mail, of an import into another
 * program, or of a program that a chat preset leads to. Undefined for all else, whatever a page says: the system would start any program that has
 * registered its scheme (docs/reference/security.md#desktop).
 */
export function outsideAddress(target: string, chats: Chats): string | undefined {
  const href = URL.parse(target)?.href
  if (href === undefined) return undefined
  if (isWebLink(href) || isImportLink(href) || href.startsWith('mailto:')) return href
  return isChatLink(href) && schemesOf(chats).has(schemeOf(href)) ? href : undefined
}

/** The address that a page of others in a frame may ask to have opened: one of the web, and no program's. */
export function outsideAddressOfFrame(target: string): string | undefined {
  const href = URL.parse(target)?.href
  return href !== undefined && isWebLink(href) ? href : undefined
}

/** Whether an address of the console's own belongs in the system's browser: payment ends there, on pages of the provider. */
export const isForBrowser = (target: string): boolean => isPaymentPage(URL.parse(target)?.pathname ?? '')

const schemesOf = (chats: Chats): ReadonlySet<string | undefined> =>
  new Set(chats.flatMap((chat) => Object.values(chat).filter(isChatLink).map(schemeOf)))
