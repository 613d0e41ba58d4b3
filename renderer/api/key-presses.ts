/**
 * Ignores a press of Enter or Space unless the element was focused when the key went down. Blueprint activates buttons
 * on release of Enter or Space: submitting a form with Enter would otherwise also press the button that receives focus
 * when the form closes, and a confirmation opened by Enter would be accepted at once. The same applies to the repeats
 * of a key that is held down.
 */
export function pairKeyPresses(): void {
  let pressed: EventTarget | null = null
  const isStray = ({ key, target }: KeyboardEvent) => (key === 'Enter' || key === ' ') && target !== pressed
  addEventListener(
    'keydown',
    (event) => {
      if (!event.repeat) pressed = event.target
      else if (isStray(event)) drop(event)
    },
    true,
  )
  addEventListener('keyup', (event) => isStray(event) && drop(event), true)
}

function drop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
