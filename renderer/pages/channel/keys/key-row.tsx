import { Button, Classes, type Intent, Switch } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { routing } from '../../../../shared/api/routing.ts'
import { channelStatus, channelStatusLabel } from '../../../../shared/enums.ts'
import { useSend } from '../../../api/use-call.ts'
import { CooldownTag } from '../../../components/cooldown/cooldown-tag.tsx'
import { responseText, type Timed } from '../../../components/cooldown/timed.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import { keyName, type TimedKey } from './use-keys.ts'

type KeyRowProps = Readonly<{
  channel: ChannelView
  item: TimedKey
  /** The channel's only key, which cannot be removed. */
  isLast: boolean
}>

/** A key: position and ending, state, switch, and its errors below. */
export function KeyRow({ channel, item, isLast, onRemove }: KeyRowProps & Readonly<{ onRemove: () => void }>) {
  const { t } = useTranslation()
  const name = keyName(item)
  return (
    <li className="key-row">
      <span className={`key-row-name ${Classes.MONOSPACE_TEXT}`}>{name}</span>
      <span className="key-row-state">
        <State item={item} />
      </span>
      <OnSwitch channel={channel} item={item} isLast={isLast} />
      <Button
        size="small"
        variant="minimal"
        icon={<Trash />}
        aria-label={t('keys.remove', { name })}
        title={isLast ? t('keys.lastKept') : t('keys.remove', { name })}
        aria-description={isLast ? t('keys.lastKept') : undefined}
        disabled={isLast}
        onClick={onRemove}
      />
      <Trouble item={item} />
    </li>
  )
}

/** A key that is off or cooling down for all models shows only that. */
function State({ item: { status, cooldowns } }: { item: TimedKey }) {
  const { t } = useTranslation()
  const forAllModels = cooldowns.find(({ model }) => model === '')
  if (status === channelStatus.enabled && forAllModels) return <CooldownTag cooldown={forAllModels} />
  return (
    <>
      <StatusTag intent={intents.get(status) ?? 'none'} text={t(channelStatusLabel(status))} />
      {status === channelStatus.enabled && cooldowns.length > 0 && (
        <StatusTag intent="warning" text={t('cooldown.models', { n: cooldowns.length })} />
      )}
    </>
  )
}

/** As for channels: green if enabled, yellow if disabled by a user or the system. */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [channelStatus.enabled, 'success'],
  [channelStatus.disabled, 'warning'],
  [channelStatus.autoDisabled, 'warning'],
])

/** A channel's only key is switched with the channel. */
function OnSwitch({ channel: { id }, item, isLast }: KeyRowProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(routing.switchKey)
  const isOn = item.status === channelStatus.enabled
  const status = isOn ? channelStatus.disabled : channelStatus.enabled
  return (
    <Switch
      className="key-row-switch"
      aria-label={t('keys.on', { name: keyName(item) })}
      checked={isOn}
      title={isLast ? t('keys.lastSwitched') : undefined}
      aria-description={isLast ? t('keys.lastSwitched') : undefined}
      disabled={isLast}
      // Not disabled while pending, because the focus would leave the dialog.
      onChange={() => !isPending && mutate({ params: { id, key: item.id }, body: { status } })}
    />
  )
}

/** Why and when the system disabled the key, or the upstream's error before the cooldown. */
function Trouble({ item: { status, reason, status_time: time, cooldowns } }: { item: TimedKey }) {
  const { t } = useTranslation()
  const about = (cooldown: Timed) => (cooldown.model === '' ? '' : `${cooldown.model}: `)
  if (status === channelStatus.autoDisabled) {
    return (
      <p className={`key-row-trouble ${Classes.TEXT_MUTED}`}>
        {reason}
        {reason !== '' && time > 0 && ' · '}
        {time > 0 && <TimeText at={time} />}
      </p>
    )
  }
  if (status !== channelStatus.enabled || cooldowns.length === 0) return null
  return (
    <ul className={`key-row-trouble ${Classes.TEXT_MUTED}`}>
      {cooldowns.map((cooldown) => (
        <li key={cooldown.model}>
          {about(cooldown)}
          {responseText(cooldown, t('cooldown.noAnswer'))} · <TimeText at={cooldown.failed_at} />
          {cooldown.model !== '' && (
            <>
              {' '}
              <CooldownTag cooldown={cooldown} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
