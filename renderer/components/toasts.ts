import type { Intent } from '@blueprintjs/core'
import type { CallFailure } from '../api/call-failure.ts'
import type { Toasts } from './toaster.tsx'

/**
 * Tells the person that something was done. Toasts stay until they are closed, or until the next action or page
 * (docs/reference/screens.md#calls-and-failures).
 */
export const showSuccess = (message: string): void => show(message, 'success')

/** Warns the person about something that was done nevertheless. */
export const showWarning = (message: string): void => show(message, 'warning')

/** Tells why a call failed. A site for demonstration only is no error, just a fact (HTTP 405). */
export const showFailure = (failure: CallFailure): void =>
  show(failure.message, failure.status === 405 ? 'primary' : 'danger')

/** Takes all toasts away. */
export function clearToasts(): void {
  void shown?.then((toasts) => toasts.clear(), ignored)
}

/** Takes those away that were shown before the person last did something, which led to another page. */
export function leaveToasts(): void {
  void shown?.then((toasts) => toasts.leave(), ignored)
}

/** Fetches what shows toasts before there is one: the first may be about a gateway that is gone. */
export const fetchToaster = (): void => void load().catch(ignored)

/** A first view does without it. */
const load = () => import('./toaster.tsx')

let shown: Promise<Toasts> | undefined

function show(message: string, intent: Intent): void {
  shown ??= load().then(({ createToasts }) => createToasts())
  void shown.then(
    (toasts) => toasts.show(message, intent),
    () => {
      // The next one tries again.
      shown = undefined
    },
  )
}

const ignored = () => undefined
