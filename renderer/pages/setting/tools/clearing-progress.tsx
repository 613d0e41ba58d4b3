import './tools.css'
import { Button, ProgressBar } from '@blueprintjs/core'
import { useTranslation } from '../../../translation.ts'
import { countOf, type Found, useClearingProgress } from './use-clearing.ts'

type ClearingProgressProps = Found & Readonly<{ onStop: () => void }>

export function ClearingProgress({ onStop, ...found }: ClearingProgressProps) {
  const { t } = useTranslation()
  const { data } = useClearingProgress()
  const removed = data?.running?.removed ?? 0
  const { total, isMore } = found
  return (
    <div className="setting-clearing">
      <ProgressBar
        intent="primary"
        aria-label={t('settings.logClear')}
        {...(!isMore && { value: Math.min(removed / Math.max(total, 1), 1) })}
      />
      <div className="setting-tool-foot">
        <span className="tabular">
          {t('settings.logClearing', { n: removed.toLocaleString('en'), total: countOf(found) })}
        </span>
        <Button size="small" text={t('settings.stop')} onClick={onStop} />
      </div>
    </div>
  )
}
