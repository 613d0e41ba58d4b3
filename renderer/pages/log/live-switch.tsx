import { Classes, Switch } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import type { Live } from './use-live.ts'

export function LiveSwitch({ live: { isOn, isPaused, set } }: { live: Live }) {
  const { t } = useTranslation()
  return (
    <span className="log-live">
      <Switch
        className="log-live-switch"
        label={t('log.live')}
        title={t('log.liveHint')}
        checked={isOn}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span role="status" className={`${Classes.TEXT_MUTED} ${Classes.TEXT_SMALL}`}>
        {isPaused && t('log.livePaused')}
      </span>
    </span>
  )
}
