import './toaster.css'
import { type Intent, OverlaysProvider, OverlayToaster, Position } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { createRoot } from 'react-dom/client'
import { translate } from '../translation.ts'
import { isNarrow } from './use-narrow.ts'

/** The toaster, with at most four toasts. A sentence is shown only once at a time. */
export type Toasts = Readonly<{
  show: (message: string, intent: Intent) => void
  clear: () => void
  /** Removes the toasts that were shown when the user last pressed a key or button. */
  leave: () => void
}>

/**
 * At the bottom of the window, away from titles and actions; on a phone above the top bar, away from drawer buttons.
 */
export async function createToasts(): Promise<Toasts> {
  const toaster = await OverlayToaster.create(
    { position: isNarrow() ? Position.TOP : Position.BOTTOM, maxToasts: 4 },
    {
      domRenderer: (toasts, container) => createRoot(container).render(<OverlaysProvider>{toasts}</OverlaysProvider>),
    },
  )
  /** Counts key and button presses. */
  let pressed = 0
  /** By message: the shown toast and its time, when a leaving one began to leave, and the timer of the next one. */
  const shown = new Map<string, Readonly<{ key: string; since: number }>>()
  const leaving = new Map<string, number>()
  const coming = new Map<string, ReturnType<typeof setTimeout>>()
  const leave = (said: string) => {
    toaster.dismiss(shown.get(said)?.key ?? '')
    shown.delete(said)
    leaving.set(said, performance.now() + LEAVING_MS)
    setTimeout(() => leaving.delete(said), LEAVING_MS)
  }
  const clear = () => {
    for (const timer of coming.values()) clearTimeout(timer)
    coming.clear()
    for (const said of [...shown.keys()]) leave(said)
    toaster.clear()
  }
  const press = ({ key }: Readonly<{ key?: string }>) => {
    pressed += 1
    if (key === 'Escape') clear()
  }
  document.addEventListener('keydown', press, true)
  document.addEventListener('pointerdown', () => press({}), true)
  return {
    show: (message, intent) => {
      const action = { icon: <Cross title={translate('label.close')} /> }
      const said = `${intent}: ${message}`
      if (shown.has(said)) leave(said)
      const appear = () => {
        coming.delete(said)
        const onDismiss = () => shown.delete(said)
        const key = toaster.show({ message, intent, timeout: 0, isCloseButtonShown: false, action, onDismiss })
        shown.set(said, { key, since: pressed })
      }
      // A repeated message is shown and announced again after the previous toast has left.
      const wait = (leaving.get(said) ?? 0) - performance.now()
      clearTimeout(coming.get(said))
      if (wait > 0) coming.set(said, setTimeout(appear, wait))
      else appear()
    },
    clear,
    leave: () => {
      for (const [said, { since }] of [...shown]) if (since < pressed) leave(said)
    },
  }
}

/** Duration of Blueprint's exit transition. */
const LEAVING_MS = 400
