import '../tools/tools.css'
import { Button, Classes } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { type Release, settingTools } from '../../../../shared/api/setting-tools.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { send } from '../../../api/client.ts'
import { isDesktop } from '../../../api/desktop.ts'
import { useStatus } from '../../../api/status.ts'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import { OptionPanel } from '../option-panel.tsx'
import { ReleaseDialog } from '../tools/release-dialog.tsx'
import { ToolOutcome } from '../tools/tool-outcome.tsx'
import { useTry } from '../tools/use-try.ts'
import { useOptionValues } from '../use-option-values.ts'

const ADDRESS = 'UpdateCheckUrl'

/** Version and uptime, and whether there is a newer release (docs/reference/options.md#testing-settings). */
export function SystemPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const { version, start_time: startTime } = useStatus()
  const box = useRef<HTMLDivElement>(null)
  const focusAddress = () => box.current?.querySelector<HTMLElement>(`[name="${ADDRESS}"]`)?.focus()
  return (
    <div ref={box}>
      <dl className="setting-facts">
        <dt className={Classes.TEXT_MUTED}>{t('settings.version')}</dt>
        <dd>{version}</dd>
        <dt className={Classes.TEXT_MUTED}>{t('settings.started')}</dt>
        <dd>
          <TimeText at={startTime} />
        </dd>
      </dl>
      {isDesktop() ? <DesktopUpdates /> : <UpdateCheck onUnset={focusAddress} />}
      <OptionPanel panel={panel} />
    </div>
  )
}

/** The desktop program checks for updates itself, on its own page (docs/reference/updates.md). */
function DesktopUpdates() {
  const { t } = useTranslation()
  return (
    <div className="setting-update">
      <Button icon={<Refresh />} text={t('settings.updateCheck')} onClick={() => window.desktop?.openUpdates()} />
    </div>
  )
}

/** Queries the stored address for the newest release; without one, leads to its setting. */
function UpdateCheck({ onUnset }: { onUnset: () => void }) {
  const { t } = useTranslation()
  const { values } = useOptionValues()
  const { isBusy, result, run } = useTry()
  const [release, setRelease] = useState<Release>()
  // Until the settings have loaded, the gateway decides.
  const isUnset = values !== undefined && (values.get(ADDRESS) ?? '') === ''
  const check = () =>
    run(async () => {
      const found = await send(settingTools.latestRelease, {}, { quiet: true })
      if (found.is_latest) return t('update.latest', { v: found.version })
      setRelease(found)
      return t('settings.updateFound', { tag: found.tag })
    })
  return (
    <div className="setting-update">
      <Button
        icon={<Refresh />}
        text={t('settings.updateCheck')}
        loading={isBusy}
        onClick={() => (isUnset ? onUnset() : void check())}
      />
      {isUnset && <span className={Classes.TEXT_MUTED}>{t('settings.updateUnset')}</span>}
      <ToolOutcome result={isBusy ? undefined : result} />
      <ReleaseDialog release={release} onClose={() => setRelease(undefined)} />
    </div>
  )
}
