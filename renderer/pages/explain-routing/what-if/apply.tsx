import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { channelMany } from '../../../../shared/api/channel-many.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { type ChangedChannel, type ChannelFields, fieldsOf, type WhatIfDraft } from './draft.ts'

type Change = Readonly<{ channel: ChangedChannel; fields: ChannelFields }>

/** Writes the changes of the channels that were worked out, once each of them has been read; retries are a setting of their own. */
export function Apply({ draft, onApplied }: Readonly<{ draft: WhatIfDraft; onApplied: () => void }>) {
  const { t } = useTranslation()
  const [isOpen, open] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { mutateAsync } = useSend(channelMany.change)
  const changes = draft.channels.flatMap((channel): Change[] => {
    const fields = fieldsOf(channel)
    return fields ? [{ channel, fields }] : []
  })
  if (changes.length === 0) return null
  const apply = async () => {
    setBusy(true)
    try {
      for (const { channel, fields } of changes) await mutateAsync({ body: { ids: [channel.id], ...fields } })
      showSuccess(t('whatIf.applied', { n: changes.length }))
      onApplied()
    } catch {
      // What went wrong has been told; those before it are written, and the list shows them.
      setBusy(false)
      open(false)
    }
  }
  return (
    <div className="what-if-apply">
      <Button text={t('whatIf.apply')} onClick={() => open(true)} />
      <Confirm
        isOpen={isOpen}
        isHarmless
        question={t('whatIf.applyAsk')}
        verb={t('whatIf.applyVerb')}
        isBusy={isBusy}
        onConfirm={() => void apply()}
        onCancel={() => open(false)}
      >
        <ul className="what-if-apply-list">
          {changes.map((change) => (
            <ChangeLine key={change.channel.id} {...change} />
          ))}
        </ul>
        {draft.retryTimes !== undefined && <p>{t('whatIf.applyRetries')}</p>}
      </Confirm>
    </div>
  )
}

function ChangeLine({ channel: { name, now }, fields: { status, priority, weight } }: Change) {
  const { t } = useTranslation()
  const parts = [
    status === undefined ? undefined : t(status === 1 ? 'whatIf.toOn' : 'whatIf.toOff'),
    priority === undefined ? undefined : t('whatIf.toPriority', { from: now.priority, to: priority }),
    weight === undefined ? undefined : t('whatIf.toWeight', { from: now.weight, to: weight }),
  ]
  return (
    <li>
      <strong>{name}</strong>: {parts.filter((part) => part !== undefined).join(t('whatIf.and'))}
    </li>
  )
}
