import { Button, Callout, Classes, FormGroup } from '@blueprintjs/core'
import { Play } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { KeptCallView } from '../../../../shared/api/kept-bodies.ts'
import { Select } from '../../../components/select.tsx'
import { useTranslation } from '../../../translation.ts'
import { type Choice, type ShownReplay, useReplay, useReplayChannels } from './use-replay.ts'

type ReplayProps = Readonly<{
  call: KeptCallView
  /** The channel that served the call; 0 for none. */
  original: number
  shown: ShownReplay | undefined
  onReplay: (shown: ShownReplay | undefined) => void
}>

/** Replays the call over a chosen channel (docs/reference/bodies.md#replay). */
export function Replay({ call, original, shown, onReplay }: ReplayProps) {
  const { t } = useTranslation()
  const id = useId()
  const channels = useReplayChannels(call)
  const { mutate, isPending, error } = useReplay(call, onReplay)
  const done = shown?.call
  return (
    <section className="log-replay" aria-labelledby={id}>
      <h3 id={id}>{t('log.replay')}</h3>
      <p className={Classes.TEXT_MUTED}>{t('log.replayHint')}</p>
      {error && <Callout intent="danger">{error.message}</Callout>}
      {channels?.length === 0 && <p>{t('log.replayNoChannel', { model: call.model })}</p>}
      {channels && channels.length > 0 && (
        <Picker
          channels={channels}
          first={channels.find((channel) => channel.id !== original) ?? channels[0]}
          verb={done ? t('log.replayAgain') : t('log.replayVerb')}
          isBusy={isPending}
          onPick={mutate}
        />
      )}
      <p className={Classes.TEXT_MUTED} role="status">
        {isPending && t('log.replayRunning')}
        {done && t('log.replayDone', { status: done.status })}
      </p>
    </section>
  )
}

type PickerProps = Readonly<{
  channels: readonly Choice[]
  first: Choice | undefined
  verb: string
  isBusy: boolean
  onPick: (channel: Choice) => void
}>

function Picker({ channels, first, verb, isBusy, onPick }: PickerProps) {
  const { t } = useTranslation()
  const id = useId()
  const [picked, setPicked] = useState(first?.id)
  const channel = channels.find((one) => one.id === picked) ?? first
  return (
    <form
      className="log-replay-picker"
      onSubmit={(event) => {
        event.preventDefault()
        if (channel && !isBusy) onPick(channel)
      }}
    >
      <FormGroup label={t('log.replayChannel')} labelFor={id}>
        <Select
          id={id}
          name="channel"
          fill
          value={channel?.id ?? ''}
          options={channels.map((one) => ({ value: one.id, label: one.name }))}
          onChange={({ currentTarget }) => setPicked(Number(currentTarget.value))}
        />
      </FormGroup>
      <Button type="submit" intent="primary" icon={<Play />} text={verb} loading={isBusy} />
    </form>
  )
}
