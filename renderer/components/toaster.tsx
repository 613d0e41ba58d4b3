import './toaster.css'
import { type Intent, OverlaysProvider, OverlayToaster, Position } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import i18next from 'i18next'
import { createRoot } from 'react-dom/client'
import { isNarrow } from './use-narrow.ts'

/** Where toasts are shown; `timeout` in milliseconds, 0 for no end. A sentence is shown once, however often it is said. */
export type Toasts = Readonly<{
  show: (message: string, intent: Intent, timeout: number) => void
  clear: () => void
}>

/** At the foot of the window, away from titles and actions; on a phone over the top bar, away from the buttons of a drawer. */
export async function createToasts(): Promise<Toasts> {
  const toaster = await OverlayToaster.create(
    { position: isNarrow() ? Position.TOP : Position.BOTTOM, maxToasts: 4 },
    {
      domRenderer: (toasts, container) => createRoot(container).render(<OverlaysProvider>{toasts}</OverlaysProvider>),
    },
  )
  /** By its sentence: what is shown, when it begins to have left, and what comes then. */
  const shown = new Map<string, string>()
  const leaving = new Map<string, number>()
  const coming = new Map<string, ReturnType<typeof setTimeout>>()
  const leave = (said: string) => {
    toaster.dismiss(shown.get(said) ?? '')
    shown.delete(said)
    leaving.set(said, performance.now() + LEAVING_MS)
    setTimeout(() => leaving.delete(said), LEAVING_MS)
  }
  return {
    show: (message, intent, timeout) => {
      const action = { icon: <Cross title={i18next.t('label.close')} /> }
      const said = `${intent}: ${message}`
      if (shown.has(said)) leave(said)
      const appear = () => {
        coming.delete(said)
        const onDismiss = () => shown.delete(said)
        shown.set(said, toaster.show({ message, intent, timeout, isCloseButtonShown: false, action, onDismiss }))
      }
      // Said once more it is seen and read out once more, after the one before has left.
      const wait = (leaving.get(said) ?? 0) - performance.now()
      clearTimeout(coming.get(said))
      if (wait > 0) coming.set(said, setTimeout(appear, wait))
      else appear()
    },
    clear: () => {
      for (const timer of coming.values()) clearTimeout(timer)
      coming.clear()
      for (const said of [...shown.keys()]) leave(said)
      toaster.clear()
    },
  }
}

/** How long Blueprint takes to let a toast leave. */
const LEAVING_MS = 400
