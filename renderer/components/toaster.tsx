import './toaster.css'
import { type Intent, OverlaysProvider, OverlayToaster, Position } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { createRoot } from 'react-dom/client'
import { translate } from '../translation.ts'
import { isNarrow } from './use-narrow.ts'

/** Where toasts are shown, at most four. A sentence is shown once, however often it is said. */
export type Toasts = Readonly<{
  show: (message: string, intent: Intent) => void
  clear: () => void
  /** Takes those away that were there when the person last pressed a key or a button. */
  leave: () => void
}>

/** At the foot of the window, away from titles and actions; on a phone over the top bar, away from the buttons of a drawer. */
export async function createToasts(): Promise<Toasts> {
  const toaster = await OverlayToaster.create(
    { position: isNarrow() ? Position.TOP : Position.BOTTOM, maxToasts: 4 },
    {
      domRenderer: (toasts, container) => createRoot(container).render(<OverlaysProvider>{toasts}</OverlaysProvider>),
    },
  )
  /** How often the person has pressed something. */
  let pressed = 0
  /** By its sentence: what is shown since when, when it begins to have left, and what comes then. */
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
      // Said once more it is seen and read out once more, after the one before has left.
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

/** How long Blueprint takes to let a toast leave. */
const LEAVING_MS = 400
