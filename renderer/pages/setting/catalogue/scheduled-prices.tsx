import './catalogue.css'
import { Button, Classes, type Intent } from '@blueprintjs/core'
import { Calendar, Cross, Edit } from '@blueprintjs/icons'
import { useState } from 'react'
import { type ScheduledPrice, scheduledPrices } from '../../../../shared/api/scheduled-prices.ts'
import { sendWhole } from '../../../api/client.ts'
import { useSend } from '../../../api/use-call.ts'
import { usePage } from '../../../api/use-page.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import type { ListView } from '../../../components/page-table/list-view.ts'
import { PageTable } from '../../../components/page-table/page-table.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import { PriceCell } from './price-cell.tsx'
import { ScheduleForm } from './schedule-form.tsx'

const everything = {}

/** Scheduled prices, pending and done, with a form to add or change one. */
export function ScheduledPrices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [form, setForm] = useState<ScheduledPrice | 'new'>()
  const page = usePage(scheduledPrices.list, everything, async ({ index, size, manner }) => {
    const query = { p: index + 1, page_size: size }
    const { data, extras } = await sendWhole(scheduledPrices.list, { query }, manner)
    return { rows: data, total: extras.total }
  })
  const add = <Button intent="primary" text={t('prices.scheduleOne')} onClick={() => setForm('new')} />
  return (
    <SideDrawer title={t('prices.scheduled')} isList isBusy={false} onClose={onClose}>
      <div className="catalogue-compared">
        <p>{t('prices.scheduledIntro')}</p>
        {page.rows.length > 0 && add}
      </div>
      <PageTable
        view={useView(setForm)}
        page={page}
        empty={
          <BlankState
            scope="section"
            icon={<Calendar size={48} />}
            title={t('prices.noneScheduled')}
            description={t('prices.noneScheduledHint')}
            action={add}
          />
        }
      />
      {form && <ScheduleForm price={form === 'new' ? undefined : form} onClose={() => setForm(undefined)} />}
    </SideDrawer>
  )
}

function useView(onEdit: (price: ScheduledPrice) => void): ListView<ScheduledPrice> {
  const { t } = useTranslation()
  return {
    label: t('prices.scheduled'),
    keyOf: ({ id }) => id,
    nameOf: ({ model }) => model,
    isMuted: ({ state }) => state !== 'pending',
    columns: [
      { id: 'model', title: t('label.model'), cell: ({ model }) => <span className="catalogue-name">{model}</span> },
      { id: 'price', title: t('prices.price'), cell: ({ price }) => <PriceCell price={price} /> },
      { id: 'from', title: t('prices.validFrom'), cell: ({ valid_from }) => <TimeText at={valid_from} isShort /> },
      { id: 'state', title: t('prices.state'), cell: (price) => <State price={price} /> },
      { id: 'note', title: t('prices.note'), isSecondary: true, cell: ({ note }) => note || '—' },
      { id: 'by', title: t('prices.by'), isSecondary: true, cell: ({ username }) => username || '—' },
    ],
    actions: (price) => (price.state === 'pending' ? <RowActions price={price} onEdit={() => onEdit(price)} /> : null),
  }
}

function State({ price: { state, done_at } }: { price: ScheduledPrice }) {
  const { t } = useTranslation()
  return (
    <div className="catalogue-state">
      <StatusTag intent={intents[state]} text={t(`prices.state.${state}`)} />{' '}
      {done_at > 0 && <TimeText at={done_at} isShort />}
      {state === 'failed' && <p className={Classes.TEXT_MUTED}>{t('prices.failedHint')}</p>}
    </div>
  )
}

const intents: Readonly<Record<ScheduledPrice['state'], Intent>> = {
  pending: 'primary',
  applied: 'success',
  cancelled: 'none',
  failed: 'danger',
}

function RowActions({ price: { id, model }, onEdit }: { price: ScheduledPrice; onEdit: () => void }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(scheduledPrices.cancel)
  const [isConfirming, setConfirming] = useState(false)
  const cancel = () => mutate({ params: { id } }, { onSettled: () => setConfirming(false) })
  return (
    <span className="catalogue-row-actions">
      <Button
        variant="minimal"
        icon={<Edit />}
        aria-label={t('prices.editOf', { model })}
        title={t('label.edit')}
        onClick={onEdit}
      />
      <Button
        variant="minimal"
        icon={<Cross />}
        aria-label={t('prices.cancelOf', { model })}
        title={t('prices.cancel')}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('prices.cancelAsk', { model })}
        verb={t('prices.cancel')}
        isBusy={isPending}
        onConfirm={cancel}
        onCancel={() => setConfirming(false)}
      >
        {t('prices.cancelHint')}
      </Confirm>
    </span>
  )
}
