import { onceOpen } from '../later.tsx'

/** Asks for confirmation before a destructive or bulk action. Escape and an outside click cancel. */
export const Confirm = onceOpen(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
