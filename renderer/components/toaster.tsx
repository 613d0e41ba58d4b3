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
  return {
    show: (message, intent, timeout) => {
      const action = { icon: <Cross title={i18next.t('label.close')} /> }
      toaster.show({ message, intent, timeout, isCloseButtonShown: false, action }, `${intent}: ${message}`)
    },
    clear: () => toaster.clear(),
  }
}
