import { Button, Classes, Switch } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { channelStatus } from '../../../../shared/enums.ts'
import { NumberField } from '../../../components/number-field/number-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { ChannelLink } from '../cells.tsx'
import { type ChangedChannel, MAX_ORDER } from './draft.ts'

type ChannelChangeProps = Readonly<{
  channel: ChangedChannel
  onChange: (channel: ChangedChannel) => void
  onRemove: () => void
}>

/** One channel: on or off, its priority and its weight, beside how it stands now. */
export function ChannelChange({ channel, onChange, onRemove }: ChannelChangeProps) {
  const { t } = useTranslation()
  const { id, name, now, isOn, weight, priority } = channel
  const wrong = (value: number | undefined) => (value === undefined ? t('whatIf.noNumber') : undefined)
  return (
    <fieldset className="what-if-change" aria-label={name}>
      <div className="what-if-change-head">
        <ChannelLink id={id} name={name} />
        <Button
          variant="minimal"
          icon={<Cross />}
          aria-label={t('whatIf.removeChannel', { name })}
          title={t('whatIf.removeChannel', { name })}
          onClick={onRemove}
        />
      </div>
      <div className="what-if-change-fields">
        <Switch
          checked={isOn}
          label={t('whatIf.enabled')}
          onChange={(event) => onChange({ ...channel, isOn: event.currentTarget.checked })}
        />
        <NumberField
          label={t('label.priority')}
          min={-MAX_ORDER}
          max={MAX_ORDER}
          value={priority}
          error={wrong(priority)}
          onValue={(next) => onChange({ ...channel, priority: next })}
        />
        <NumberField
          label={t('label.weight')}
          max={MAX_ORDER}
          value={weight}
          error={wrong(weight)}
          onValue={(next) => onChange({ ...channel, weight: next })}
        />
      </div>
      <div className={Classes.TEXT_MUTED}>
        {t(now.status === channelStatus.enabled ? 'whatIf.nowOn' : 'whatIf.nowOff', {
          priority: now.priority,
          weight: now.weight,
        })}
      </div>
    </fieldset>
  )
}
