import { Export, History, Import } from '@blueprintjs/icons'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { optionFile } from '../../../../shared/api/option-file.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { later } from '../../../components/later.tsx'
import { FrameButton } from '../../../components/page-frame/frame-button.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { fileNameAt } from './settings-file.ts'

const HistoryDrawer = later(async () => (await import('./history-drawer.tsx')).HistoryDrawer)
const ImportDrawer = later(async () => (await import('./import-drawer.tsx')).ImportDrawer)

/** The address value for the history of all settings; a single setting is named by its key. */
const ALL = 'all'

/**
 * Header buttons of the settings page: history, export and import. What is open is stored in the address
 * (`?history=all`, `?history=<key>`, `?import`).
 */
export function SettingActions() {
  const { t } = useTranslation()
  const [query, setQuery] = useSearchParams()
  const exporting = useExport()
  const put = (name: string, value: string | undefined, isReplaced: boolean) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === undefined) after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: isReplaced },
    )
  const shown = query.get('history')
  return (
    <div className="setting-actions">
      <FrameButton icon={<History />} label={t('history.open')} onClick={() => put('history', ALL, false)} />
      <FrameButton
        icon={<Export />}
        label={t('settingsFile.export')}
        isBusy={exporting.isBusy}
        onClick={() => void exporting.run()}
      />
      <FrameButton icon={<Import />} label={t('settingsFile.import')} onClick={() => put('import', '', false)} />
      {shown !== null && (
        <HistoryDrawer
          option={shown === ALL ? '' : shown}
          onOption={(option) => put('history', option || ALL, true)}
          onClose={() => put('history', undefined, true)}
        />
      )}
      {query.has('import') && <ImportDrawer onClose={() => put('import', undefined, true)} />}
    </div>
  )
}

/** Downloads the settings that differ from their defaults, without secrets, as a file. */
function useExport(): Readonly<{ isBusy: boolean; run: () => Promise<void> }> {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    clearToasts()
    setBusy(true)
    try {
      const file = await send(optionFile.export, {})
      saveFile(`${JSON.stringify(file, undefined, 2)}\n`, fileNameAt(new Date()), 'application/json')
      const n = Object.keys(file.options).length
      showSuccess(t('settingsFile.exported', { n }))
    } catch (error) {
      // The error is shown already.
      if (!(error instanceof CallFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
