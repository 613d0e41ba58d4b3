import { useTranslation } from '../translation.ts'
import { showSuccess, showUndoable } from './toasts.ts'

/** Reports that a row was enabled or disabled; the toast can undo it if `undo` is given. */
export function useSwitchToast(): (name: string, isOn: boolean, undo?: () => void) => void {
  const { t } = useTranslation()
  return (name, isOn, undo) => {
    const message = t(isOn ? 'toast.enabled' : 'toast.disabled', { name })
    if (undo) showUndoable(message, undo)
    else showSuccess(message)
  }
}
