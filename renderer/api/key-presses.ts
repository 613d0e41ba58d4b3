/**
 * Lets a key press only what had the focus when it went down. Blueprint's buttons are pressed when Enter or Space is let go,
 * wherever it went down: a form that Enter has sent would otherwise press the button that gets the focus when it closes, and
 * a question that it opens would be answered at once. A key that is held presses nothing further either.
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
