import './toaster.css'
import { Button, type Intent, OverlaysProvider, OverlayToaster, Position } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { createRoot } from 'react-dom/client'
import { translate } from '../translation.ts'
import { isNarrow } from './use-narrow.ts'

/** The toaster, with at most four toasts. A sentence is shown only once at a time. */
export type Toasts = Readonly<{
  /** With `undo`, the toast has a button that calls it. */
  show: (message: string, intent: Intent, undo?: () => void) => void
  clear: () => void
  /** Removes the toasts that were shown when the user last pressed a key or button. */
  leave: () => void
}>

/**
 * Creates the toaster at the bottom of the window, away from titles and actions; on a phone at the top, over the bar,
 * away from drawer buttons.
 */
export async function createToasts(): Promise<Toasts> {
  const toaster = await OverlayToaster.create(
    { position: isNarrow() ? Position.TOP : Position.BOTTOM, maxToasts: 4 },
    {
      domRenderer: (toasts, container) => createRoot(container).render(<OverlaysProvider>{toasts}</OverlaysProvider>),
    },
  )
  let pressed = 0
  /**
   * By message: `shown` has the shown toast and the number of presses before it, `leaving` the time at which a leaving
   * toast is gone, and `coming` the timer of the next toast.
   */
  const shown = new Map<string, Readonly<{ key: string; since: number }>>()
  const leaving = new Map<string, number>()
  const coming = new Map<string, ReturnType<typeof setTimeout>>()
  const leave = (text: string) => {
    toaster.dismiss(shown.get(text)?.key ?? '')
    shown.delete(text)
    leaving.set(text, performance.now() + LEAVING_MS)
    setTimeout(() => leaving.delete(text), LEAVING_MS)
  }
  const clear = () => {
    for (const timer of coming.values()) clearTimeout(timer)
    coming.clear()
    for (const text of [...shown.keys()]) leave(text)
    toaster.clear()
  }
  const press = ({ key }: Readonly<{ key?: string }>) => {
    pressed += 1
    if (key === 'Escape') clear()
  }
  document.addEventListener('keydown', press, true)
  document.addEventListener('pointerdown', () => press({}), true)
  return {
    show: (message, intent, undo) => {
      const action = { icon: <Cross title={translate('label.close')} /> }
      const text = `${intent}: ${message}`
      const undoOnce = () => {
        leave(text)
        undo?.()
      }
      const content = undo ? (
        <span className="toast-undoable">
          {message}
          <Button size="small" text={translate('label.undo')} onClick={undoOnce} />
        </span>
      ) : (
        message
      )
      const timeout = intent === 'success' && !undo ? SUCCESS_MS : 0
      if (shown.has(text)) leave(text)
      const appear = () => {
        coming.delete(text)
        const onDismiss = () => shown.delete(text)
        const key = toaster.show({ message: content, intent, timeout, isCloseButtonShown: false, action, onDismiss })
        shown.set(text, { key, since: pressed })
      }
      // A repeated message is shown and announced again after the previous toast has left.
      const wait = (leaving.get(text) ?? 0) - performance.now()
      clearTimeout(coming.get(text))
      if (wait > 0) coming.set(text, setTimeout(appear, wait))
      else appear()
    },
    clear,
    leave: () => {
      for (const [text, { since }] of [...shown]) if (since < pressed) leave(text)
    },
  }
}

/** How long a success is shown, in milliseconds; longer while the toast is pointed at or focused. */
const SUCCESS_MS = 6000

/** Duration of Blueprint's exit transition. */
const LEAVING_MS = 400
