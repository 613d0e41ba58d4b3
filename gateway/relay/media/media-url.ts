const LONGEST_URL = 8192

/**
 * A URL that a file may be asked for by: complete, http or https, at most 8 KiB long, without user name or password.
 * `base` is where a redirect comes from. Null for everything else.
 */
export function mediaUrl(text: string, base?: URL): URL | null {
  if (text.length > LONGEST_URL) return null
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url
}
