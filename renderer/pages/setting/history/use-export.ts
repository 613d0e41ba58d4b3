import { useState } from 'react'
import { optionFile } from '../../../../shared/api/option-file.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { saveFile } from '../../../components/save-file.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { fileNameAt } from './settings-file.ts'

/** Saves all settings as a file of the person's, and says what is not in it. */
export function useExport(): Readonly<{ isBusy: boolean; run: () => Promise<void> }> {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    clearToasts()
    setBusy(true)
    try {
      const file = await send(optionFile.export, {})
      saveFile(`${JSON.stringify(file, undefined, 2)}\n`, fileNameAt(new Date()), 'application/json')
      const n = Object.keys(file.options).length
      showSuccess(n === 1 ? t('settingsFile.exportedOne') : t('settingsFile.exported', { n }))
    } catch (error) {
      // Why is told already.
      if (!(error instanceof CallFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
