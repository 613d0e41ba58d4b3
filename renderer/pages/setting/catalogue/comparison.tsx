import { Button, Callout } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type CatalogueComparison, catalogue } from '../../../../shared/api/catalogue.ts'
import { useSend } from '../../../api/use-call.ts'
import { groupDigits } from '../../../components/count.tsx'
import type { RowKey } from '../../../components/page-table/list-view.ts'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { useLeadToWrong } from '../pricing/use-lead-to-wrong.ts'
import { ChangeTable } from './change-table.tsx'
import { OtherModels } from './other-models.tsx'
import { isTimeAhead, type When, WhenField } from './when-field.tsx'

type ComparisonProps = Readonly<{
  title: string
  comparison: CatalogueComparison
  onBack: () => void
  onClose: () => void
}>

export function Comparison({ title, comparison, onBack, onClose }: ComparisonProps) {
  const { t } = useTranslation()
  const { rows, format, total } = comparison
  const [suggested] = useState(() => new Set<RowKey>(rows.filter((row) => row.is_suggested).map(({ model }) => model)))
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(suggested)
  const [when, setWhen] = useState<When>({ isLater: false, time: '', note: '' })
  const [isChecked, setChecked] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const leadToWrong = useLeadToWrong(box)
  const { take, isBusy } = useApplying(comparison, onClose)
  const submit = () => {
    setChecked(true)
    if (when.isLater && !isTimeAhead(when.time)) return leadToWrong()
    take([...chosen].map(String), when)
  }
  const verb = t(when.isLater ? 'prices.scheduleOf' : 'prices.applyOf', { n: groupDigits(chosen.size) })
  const foot = rows.length > 0 && (
    <Button intent="primary" text={verb} disabled={chosen.size === 0} loading={isBusy} onClick={submit} />
  )
  return (
    <SideDrawer title={title} isList isBusy={isBusy} isDirty={!isSame(chosen, suggested)} onClose={onClose} foot={foot}>
      <div className="catalogue-compared">
        <p role="status">{t('prices.compared', { format: t(`prices.format.${format}`), n: groupDigits(total) })}</p>
        <Button text={t('prices.another')} disabled={isBusy} onClick={onBack} />
      </div>
      {rows.length > 0 ? (
        <>
          <ChangeTable rows={rows} chosen={chosen} onChoose={setChosen} />
          <div ref={box}>
            <WhenField when={when} onWhen={setWhen} isChecked={isChecked} />
          </div>
        </>
      ) : (
        <Callout intent="success">{t('prices.nothingNew')}</Callout>
      )}
      <OtherModels comparison={comparison} />
    </SideDrawer>
  )
}

/** Applies or schedules prices, reports it, and closes. */
function useApplying({ digest }: CatalogueComparison, onDone: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const apply = useSend(catalogue.apply)
  const schedule = useSend(catalogue.schedule)
  const done = (text: string) => {
    showSuccess(text)
    onDone()
    void queries.invalidateQueries()
  }
  return {
    isBusy: apply.isPending || schedule.isPending,
    take(models: string[], { isLater, time, note }: When) {
      const n = groupDigits(models.length)
      if (!isLater)
        return apply.mutate({ body: { digest, models } }, { onSuccess: () => done(t('prices.applied', { n })) })
      const valid_from = isTimeAhead(time) || 0
      return schedule.mutate(
        { body: { digest, models, valid_from, note } },
        { onSuccess: () => done(t('prices.nowScheduled', { n })) },
      )
    },
  }
}

const isSame = (one: ReadonlySet<RowKey>, other: ReadonlySet<RowKey>): boolean =>
  one.size === other.size && [...one].every((key) => other.has(key))
