import { Button } from '@blueprintjs/core'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { useSend } from '../../../api/use-call.ts'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'

type FetchModelsProps = Pick<FieldsProps, 'draft' | 'onChange'> & Readonly<{ channel: ChannelView | undefined }>

/** Asks the vendor for its models, with the key that is typed or the stored one; absent where a vendor lists none. */
export function FetchModels({ draft, onChange, channel }: FetchModelsProps) {
  const { t } = useTranslation()
  const typed = useSend(calls.fetchModels)
  const stored = useSend(calls.fetchOwnModels)
  if (!channelTypeById(draft.type)?.modelList) return null
  const { type, key } = draft
  const onSuccess = (found: string[]) => {
    const models = [...new Set([...draft.models, ...found])]
    onChange({ models })
    showSuccess(t('channel.fetched', { n: found.length, fresh: models.length - draft.models.length }))
  }
  const ask = () => {
    if (key.trim() === '' && channel) return stored.mutate({ params: { id: channel.id } }, { onSuccess })
    if (key.trim() === '') return showWarning(t('channel.need_key'))
    const { base } = channelAddress({ type, base_url: draft.baseUrl })
    return typed.mutate({ body: { type, key, base_url: base } }, { onSuccess })
  }
  return <Button size="small" text={t('channel.fetch')} loading={typed.isPending || stored.isPending} onClick={ask} />
}
