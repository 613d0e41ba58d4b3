import { onceOpen } from '../later.tsx'

/** Asks for confirmation before a destructive or bulk action. Escape, an outside click and browser back do nothing. */
export const Confirm = onceOpen(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
