import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keptBodies } from '../../../../shared/api/kept-bodies.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { send } from '../../../api/client.ts'
import { areaOf, useCall } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { groupDigits } from '../../../components/count.tsx'
import { useTranslation } from '../../../translation.ts'
import { OptionPanel } from '../option-panel.tsx'
import { ToolForm } from '../tools/tool-form.tsx'
import { useTry } from '../tools/use-try.ts'

/**
 * Whether, how long and for whom bodies may be stored, and a button that deletes all of them
 * (docs/reference/bodies.md).
 */
export const BodiesPanel = ({ panel }: { panel: PanelName }) => (
  <>
    <OptionPanel panel={panel} />
    <BodiesClearing />
  </>
)

function BodiesClearing() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const { data: report } = useCall(keptBodies.report, {}, { quiet: true })
  const { isBusy, result, run } = useTry()
  const clear = () => {
    setConfirming(false)
    void run(async () => {
      const n = await send(keptBodies.removeAll, {}, { quiet: true })
      const area = [areaOf(keptBodies.removeAll)]
      queries.removeQueries({ queryKey: [...area, 'held'] })
      void queries.invalidateQueries({ queryKey: area })
      return t('settings.bodiesCleared', { n: groupDigits(n) })
    })
  }
  return (
    <ToolForm
      title={t('settings.bodiesClear')}
      hint={t('settings.bodiesClearHint')}
      verb={t('settings.bodiesClearVerb')}
      isBusy={isBusy}
      result={result}
      onSubmit={() => setConfirming(true)}
    >
      {report && (
        <p>
          {t('settings.bodiesHold', {
            n: groupDigits(report.calls),
            size: (report.bytes / (1024 * 1024)).toFixed(1),
          })}
        </p>
      )}
      <Confirm
        isOpen={isConfirming}
        question={t('settings.bodiesClear')}
        verb={t('settings.bodiesClearVerb')}
        isBusy={isBusy}
        onCancel={() => setConfirming(false)}
        onConfirm={clear}
      >
        {t('settings.bodiesClearHint')}
      </Confirm>
    </ToolForm>
  )
}
