import { Button, Classes, H3, Switch } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { channel as channelCalls } from '../../../shared/api/channel.ts'
import { localModels as calls, type LocalChannel } from '../../../shared/api/local-models.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { addressLabel } from './program-label.ts'

/** A local program's channel: whether the program responds, and which models were added or removed. */
export function ChannelItem({ channel }: { channel: LocalChannel }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const update = useSend(calls.update)
  const follow = useSend(calls.follow)
  const { channel_id: id, name, fresh, missing, takes, state, checked_at: checkedAt } = channel
  const hasChanged = fresh.length + missing.length > 0
  const onUpdated = () => {
    void queries.invalidateQueries({ queryKey: [areaOf(channelCalls.list)] })
    showSuccess(t('localModels.updated', { name }))
  }
  return (
    <li className="local-models-item">
      <div className="local-models-what">
        <H3 className="local-models-name">
          <Link to={`/channel/edit/${id}`}>{name}</Link>
        </H3>
        <code className={Classes.CODE}>{addressLabel(channel.address)}</code>
        <span>
          <StatusTag
            intent={state === 'found' ? 'success' : 'none'}
            text={state === '' ? t('localModels.unchecked') : t(`localModels.state.${state}`)}
          />{' '}
          {checkedAt > 0 && <AgeText at={checkedAt} />}
        </span>
      </div>
      <div className="local-models-more">
        <p>{t('localModels.models', { n: channel.models })}</p>
        {state === 'found' && !hasChanged && <p className={Classes.TEXT_MUTED}>{t('localModels.same')}</p>}
        {fresh.length > 0 && <p>{t('localModels.fresh', { models: fresh.join(', ') })}</p>}
        {missing.length > 0 && <p>{t('localModels.missing', { models: missing.join(', ') })}</p>}
        <Switch
          label={t('localModels.takesOf', { name })}
          checked={takes}
          disabled={follow.isPending}
          onChange={(event) => follow.mutate({ body: { channel_id: id, takes: event.currentTarget.checked } })}
        />
      </div>
      <Button
        className="local-models-act"
        icon={<Refresh />}
        intent={hasChanged ? 'primary' : 'none'}
        text={t('localModels.update')}
        aria-label={t('localModels.updateOf', { name })}
        loading={update.isPending}
        onClick={() => update.mutate({ body: { channel_id: id } }, { onSuccess: onUpdated })}
      />
    </li>
  )
}
