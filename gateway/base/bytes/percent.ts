/** Decodes percent-encoded text; returns it unchanged if an escape is broken. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    if (cause instanceof URIError) return text
    throw cause
  }
}
