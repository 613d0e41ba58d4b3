import { Export, History, Import } from '@blueprintjs/icons'
import { useSearchParams } from 'react-router-dom'
import { later } from '../../../components/later.tsx'
import { FrameButton } from '../../../components/page-frame/frame-button.tsx'
import { useTranslation } from '../../../translation.ts'
import { useExport } from './use-export.ts'

const HistoryDrawer = later(async () => (await import('./history-drawer.tsx')).HistoryDrawer)
const ImportDrawer = later(async () => (await import('./import-drawer.tsx')).ImportDrawer)

/** What stands for the changes of all settings in an address, where one of them would stand by its key. */
const ALL = 'all'

/**
 * The buttons in the head of the settings page: their history, and all of them out to a file and in from one. What is open
 * stands in the address (`?history=all`, `?history=<key>`, `?import`), beside whatever else does.
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
