/** Puts the focus into the first field of the page's filters, ready to be typed over. A page without filters is left alone. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main search input')
  field?.focus()
  field?.select()
}
