import './resting-tag.css'
import { Button, PopoverNext, PopupKind, Tag } from '@blueprintjs/core'
import { Reset } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { RestFacts } from '../../../components/rest/rest-facts.tsx'
import { Remaining, RestText, restIntents } from '../../../components/rest/rest-tag.tsx'
import { keyName, useKeys } from '../keys/use-keys.ts'
import { restingOf, restingTexts } from './resting.ts'
import { useClearRests } from './use-clear-rests.ts'
import type { TimedRest } from './use-rests.ts'

type RestingProps = Readonly<{ channel: ChannelView; rests: readonly TimedRest[] }>

/** That a channel, a model or a key rests, and for how long; opens onto why, and onto the end of it. */
export function RestingTag({ channel, rests }: RestingProps) {
  const { t } = useTranslation()
  const isFailing = rests.some(({ kind }) => kind === 'failing')
  const label = t('rest.of', { name: channel.name })
  return (
    <PopoverNext
      placement="bottom"
      popupKind={PopupKind.DIALOG}
      middleware={awayFromEdges}
      content={<Rests channel={channel} rests={rests} label={label} />}
    >
      <Tag interactive minimal intent={restIntents[isFailing ? 'failing' : 'limited']}>
        <Words channel={channel} rests={rests} />
      </Tag>
    </PopoverNext>
  )
}

/** A phone is hardly wider than what it tells. */
const awayFromEdges = { shift: { padding: 8 } }

/** One line for what rests, with the countdown where that is one thing; of several each has its own behind the tag. */
function Words({ channel, rests }: RestingProps) {
  const { t } = useTranslation()
  const resting = restingOf(rests)
  if (resting.whole) return <RestText rest={resting.whole} />
  const [first, ...others] = rests
  const only = others.length === 0 ? first : undefined
  return restingTexts(resting, channel, t).map((text) => (
    <span key={text} className="resting-line">
      {text} {only && <Remaining rest={only} />}
    </span>
  ))
}

/** Each rest with what led to it. */
function Rests({ channel, rests, label }: RestingProps & Readonly<{ label: string }>) {
  const { t } = useTranslation()
  const { clear, isBusy } = useClearRests(channel)
  return (
    <div className="resting" role="dialog" aria-label={label}>
      <ul>
        {rests.map((rest) => (
          <li key={`${rest.key_id} ${rest.model}`}>
            <RestFacts rest={rest} subject={<Subject rest={rest} />} />
          </li>
        ))}
      </ul>
      <Button size="small" icon={<Reset />} text={t('rest.clear')} loading={isBusy} onClick={clear} />
    </div>
  )
}

/** The model and the key that a rest is about. */
function Subject({ rest: { channel_id: id, model, key_id: keyId } }: { rest: TimedRest }) {
  const { t } = useTranslation()
  const { data: keys = [] } = useKeys(id, keyId !== '')
  const models = model === '' ? t('rest.everyModel') : model
  if (keyId === '') return models
  const key = keys.find(({ id: one }) => one === keyId)
  return `${t('rest.keyNamed', { name: key ? keyName(key) : '…' })} · ${models}`
}
