import '../tools/tools.css'
import { Button, ProgressBar } from '@blueprintjs/core'
import { subMonths } from 'date-fns'
import { useState } from 'react'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { formatTime, parseTime } from '../../../components/date-time.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionPanel } from '../option-panel.tsx'
import { ToolForm } from '../tools/tool-form.tsx'
import { countOf, type Found, useClearing, useClearingProgress } from '../tools/use-clearing.ts'

/** Retention of the usage log, and a manual clean-up before a given time (docs/reference/logs.md#clearing). */
export const LogPanel = ({ panel }: { panel: PanelName }) => (
  <>
    <OptionPanel panel={panel} />
    <LogClearing />
  </>
)

/** Length of the browser picker's value, to the minute. */
const MINUTES = 'YYYY-MM-DDTHH:mm'.length

function LogClearing() {
  const { t } = useTranslation()
  const [time, setTime] = useState(aMonthAgo)
  const [isMissing, setMissing] = useState(false)
  const clearing = useClearing()
  const submit = () => {
    const before = parseTime(time)
    setMissing(before === undefined)
    if (before === undefined) return showWarning(t('log.need_time'))
    void clearing.count(before)
  }
  return (
    <>
      <ToolForm
        title={t('settings.logClear')}
        hint={t('settings.logClearHint')}
        verb={t('settings.logClearVerb')}
        isBusy={clearing.isBusy}
        result={clearing.result}
        onSubmit={submit}
      >
        <TextField
          label={t('settings.logBefore')}
          type="datetime-local"
          value={time}
          onValue={setTime}
          error={isMissing ? t('log.need_time') : undefined}
        />
      </ToolForm>
      {clearing.running && <ClearingProgress {...clearing.running} onStop={clearing.stop} />}
      <Confirm
        isOpen={clearing.found !== undefined}
        question={clearing.found ? t('settings.logClearAsk', { n: countOf(clearing.found) }) : ''}
        verb={t('settings.logClearVerb')}
        isBusy={false}
        onConfirm={() => void clearing.begin()}
        onCancel={clearing.cancel}
      >
        {clearing.found && t('settings.logClearWhat', { time: formatTime(clearing.found.before) })}
      </Confirm>
    </>
  )
}

const aMonthAgo = () =>
  formatTime(Math.floor(subMonths(new Date(), 1).getTime() / 1000))
    .replace(' ', 'T')
    .slice(0, MINUTES)

type ClearingProgressProps = Found & Readonly<{ onStop: () => void }>

function ClearingProgress({ onStop, ...found }: ClearingProgressProps) {
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
