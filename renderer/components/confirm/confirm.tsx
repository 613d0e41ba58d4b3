import { onceOpen } from '../later.tsx'

/** Asks before something is destroyed or done to many at once. Escape, a click beside it and the way back do nothing. */
export const Confirm = onceOpen(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
