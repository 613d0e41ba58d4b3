import * as z from 'zod/mini'

/**
 * Operator-supplied addresses that become links of the console, or are passed to the system by the desktop. Checked
 * both on save and on use (docs/reference/security.md#page-headers).
 */

/**
 * Whether a path is an order's page that redirects to the payment provider
 * (docs/reference/wallet.md#leaving-for-the-provider).
 */
export const isPaymentPage = (path: string): boolean => /^\/pay\/USR\d{1,15}NO[0-9a-zA-Z]{1,40}$/.test(path)

export const webLink = z.string().check(z.refine(isWebLink, { error: 'option.bad_url' }))

/** Whether a text is a complete http or https address. */
export function isWebLink(text: string): boolean {
  return isPlain(text) && /^https?:\/\/[^\s/\\?#]/i.test(text) && parsable.safeParse(text).success
}

/**
 * Whether a chat's address, with its placeholders `{key}` and `{address}`, leads to the web or to a program with its
 * own scheme, and not to something that runs, reads or changes anything on this machine.
 */
export function isChatLink(template: string): boolean {
  const scheme = schemeOf(template)
  return scheme !== undefined && isPlain(template) && !refused.has(scheme) && !/^(ms-|search|x-apple)/.test(scheme)
}

/**
 * Whether an address passes a token to a program on this machine ("Connect a client"): only the imports of CC Switch
 * and Cherry Studio.
 */
export const isImportLink = (address: string): boolean =>
  isPlain(address) && /^(ccswitch:\/\/v1\/import|cherrystudio:\/\/providers\/api-keys)\?/.test(address)

const parsable = z.url({ protocol: /^https?$/ })

/** The scheme before `://`, in lower case; undefined if something else precedes it or nothing follows. */
export const schemeOf = (text: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):\/\/[^\s/\\]/i.exec(text)?.[1]?.toLowerCase()

/** Schemes that run what they name, read from this machine or belong to the browser or the system. */
const refused: ReadonlySet<string> = new Set([
  ...['javascript', 'data', 'vbscript', 'livescript', 'mocha', 'file', 'blob', 'about', 'view-source', 'filesystem'],
  ...['jar', 'mhtml', 'mk', 'res', 'resource', 'chrome', 'chrome-extension', 'moz-extension', 'edge', 'devtools'],
  ...['intent', 'content', 'shell', 'hcp', 'smb', 'nfs', 'afp', 'ldap', 'ldaps', 'ssh', 'telnet', 'vnc', 'rdp'],
])

/**
 * Whether a text has neither invisible characters nor surrounding white space; a browser drops some of these before it
 * reads the scheme.
 */
const isPlain = (text: string): boolean => text === text.trim() && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)
