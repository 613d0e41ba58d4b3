/** Bytes in a `data:` URL (RFC 2397), as base64. */
export type Inline = Readonly<{ mime: string; data: string }>

const SCHEME = 'data:'

/** Reads a `data:` URL; undefined for other URLs and for one without a comma. `mime` stands in where the URL names none. */
export function inlineIn(url: string, mime: string): Inline | undefined {
  if (url.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [named, ...parameters] = url.slice(SCHEME.length, comma).split(';')
  const body = url.slice(comma + 1)
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  return { mime: named?.trim().toLowerCase() || mime, data: isBase64 ? body : plain(body) }
}

/** Bytes as a `data:` URL. */
export const inlineOut = ({ mime, data }: Inline): string => `${SCHEME}${mime};base64,${data}`

/** Percent-encoded text as base64; a broken escape stands for itself. */
function plain(body: string): string {
  try {
    return Buffer.from(decodeURIComponent(body)).toString('base64')
  } catch {
    return Buffer.from(body).toString('base64')
  }
}
