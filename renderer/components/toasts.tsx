import { type Intent, OverlaysProvider, OverlayToaster, Position, type Toaster } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import i18next from 'i18next'
import { createRoot } from 'react-dom/client'
import type { CallFailure } from '../api/call-failure.ts'
import { isNarrow } from './use-narrow.ts'

/**
 * Tells the person that something was done; it leaves by itself after five seconds, unless it is pointed at or focused. All
 * other toasts stay until closed or until the next action (docs/reference/screens.md#calls-and-failures).
 */
export const showSuccess = (message: string): void => show(message, 'success')

/** Warns the person about something that was done nevertheless. */
export const showWarning = (message: string): void => show(message, 'warning')

/** Tells why a call failed. A site for demonstration only is no error, just a fact (HTTP 405). */
export const showFailure = (failure: CallFailure): void =>
  show(failure.message, failure.status === 405 ? 'primary' : 'danger')

/** Takes all toasts away. */
export function clearToasts(): void {
  void toaster?.then((shown) => shown.clear())
}

let toaster: Promise<Toaster> | undefined

/** A sentence is shown once, however often it is said. */
function show(message: string, intent: Intent): void {
  toaster ??= createToaster()
  const close = { icon: <Cross title={i18next.t('label.close')} /> }
  const timeout = intent === 'success' ? successMs : 0
  void toaster.then((shown) =>
    shown.show({ message, intent, timeout, isCloseButtonShown: false, action: close }, `${intent}: ${message}`),
  )
}

const successMs = 5000

/** At the foot of the window, away from titles and actions; on a phone over the top bar, away from the buttons of a drawer. */
const createToaster = (): Promise<Toaster> =>
  OverlayToaster.create(
    { position: isNarrow() ? Position.TOP : Position.BOTTOM, maxToasts: 4 },
    {
      domRenderer: (toasts, container) => createRoot(container).render(<OverlaysProvider>{toasts}</OverlaysProvider>),
    },
  )
