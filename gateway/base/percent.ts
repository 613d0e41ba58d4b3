/** Percent-encoded text as it was meant; one with a broken escape stands for itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    if (cause instanceof URIError) return text
    throw cause
  }
}
