import './catalogue.css'
import { Button, Classes } from '@blueprintjs/core'
import { Calendar, Refresh } from '@blueprintjs/icons'
import { useState } from 'react'
import { later } from '../../../components/later.tsx'
import { useTranslation } from '../../../translation.ts'
import { LastUpdate } from './last-update.tsx'

const UpdatePrices = later(async () => (await import('./update-prices.tsx')).UpdatePrices)
const ScheduledPrices = later(async () => (await import('./scheduled-prices.tsx')).ScheduledPrices)

/** The ways to prices other than by hand: taken over from a catalogue, and scheduled (docs/reference/screens.md#price-updates). */
export function PriceTools() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'update' | 'scheduled'>()
  const close = () => setOpened(undefined)
  return (
    <div className="catalogue-tools">
      <p className={Classes.TEXT_MUTED}>{t('prices.intro')}</p>
      <div className="catalogue-tools-buttons">
        <Button icon={<Refresh />} text={t('prices.update')} onClick={() => setOpened('update')} />
        <Button icon={<Calendar />} text={t('prices.scheduled')} onClick={() => setOpened('scheduled')} />
      </div>
      <LastUpdate />
      {opened === 'update' && <UpdatePrices onClose={close} />}
      {opened === 'scheduled' && <ScheduledPrices onClose={close} />}
    </div>
  )
}
