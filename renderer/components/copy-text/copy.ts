/** Puts a text on the clipboard; false when the browser allows neither way (an address without TLS may have only the old one). */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (refusal) {
    if (refusal instanceof DOMException) return copySelection(text)
    throw refusal
  }
}

/** The way of old browsers and of addresses without TLS; the focus returns to where it was. */
function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
