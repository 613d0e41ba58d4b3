import type { Intent } from '@blueprintjs/core'
import type { CallFailure } from '../api/call-failure.ts'
import type { Toasts } from './toaster.tsx'

/**
 * Reports a success, for six seconds. Other toasts stay until they are closed, or until the next action or page
 * (docs/reference/screens.md#calls-and-failures).
 */
export const showSuccess = (message: string): void => show(message, 'success')

/** Reports a success that can be undone until the toast is closed. */
export const showUndoable = (message: string, undo: () => void): void => show(message, 'success', undo)

export const showWarning = (message: string): void => show(message, 'warning')

/** Shows why a call failed. A refusal of a demonstration site (HTTP 405) is informational. */
export const showFailure = (failure: CallFailure): void =>
  show(failure.message, failure.status === 405 ? 'primary' : 'danger')

export function clearToasts(): void {
  void shown?.then((toasts) => toasts.clear(), ignored)
}

/** Removes the toasts shown before the user action that led to another page. */
export function leaveToasts(): void {
  void shown?.then((toasts) => toasts.leave(), ignored)
}

/** Loads the toaster in advance, since the first toast may be about an unreachable gateway. */
export const fetchToaster = (): void => void load().catch(ignored)

/** Loads the toaster, which the first view does not need. */
const load = () => import('./toaster.tsx')

let shown: Promise<Toasts> | undefined

function show(message: string, intent: Intent, undo?: () => void): void {
  shown ??= load().then(({ createToasts }) => createToasts())
  void shown.then(
    (toasts) => toasts.show(message, intent, undo),
    () => {
      // The next toast tries again.
      shown = undefined
    },
  )
}

const ignored = () => undefined
