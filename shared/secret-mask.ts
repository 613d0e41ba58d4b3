/** Replaces a secret part of a channel's settings; if it is sent back, the stored value is preserved. */
export const MASK = '••••'

/** Whether a text represents a stored secret: a whole text, or the user or password of an address. */
export const isMask = (text: string): boolean => text === MASK || MASKED_USER.test(text)

const MASKED_USER = new RegExp(`^[a-z][\\w+.-]*://([^/?#]*:)?${MASK}@`, 'i')

/** Whether a member of this name contains a secret, or headers, any of which may be a secret. */
export const hidesSecret = (name: string): boolean => {
  const plain = name.replace(/[^a-z]/gi, '').toLowerCase()
  return SECRET_NAME.test(plain)
}

const SECRET_NAME =
  /^(key|auth|pwd)$|(apikey|accesskey|accesskeyid|secretkey|privatekey|secret|token|password|passwd|passphrase|authorization|credentials?|cookie|headers?(overrides?)?)$/

/**
 * Masks a text for display: a secret as a whole, an address only in its password, or in its user if it has no password.
 * `isHidden` means that its member contains secrets.
 */
export function maskOf(text: string, isHidden: boolean): string {
  if (text === '') return text
  if (isHidden || WHOLE_KEY.test(text)) return MASK
  const { scheme = '', user = '', rest = '' } = ADDRESS.exec(text)?.groups ?? {}
  if (rest === '') return text
  const colon = user.indexOf(':')
  return colon < 0 ? `${scheme}${MASK}@${rest}` : `${scheme}${user.slice(0, colon)}:${MASK}@${rest}`
}

const WHOLE_KEY = /^\s*((bearer|basic)\s+\S+|((bearer|basic)\s+)?((sk|pk|key)[-_]\S{8,}|AIza\S{8,}))\s*$/i
/** The last `@` before the path ends the user (RFC 3986 §3.2.1, and what users type). */
const ADDRESS = /^\s*(?<scheme>[a-z][\w+.-]*:\/\/)(?<user>[^/?#]*)@(?<rest>.+)/is
