import { Button, Tag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { useSend } from '../../../api/use-call.ts'
import { useQuotaFormat } from '../../../components/amount.ts'
import { formatTime } from '../../../components/moment.ts'
import { showSuccess } from '../../../components/toasts.tsx'
import { isTag, type Row, usedOf } from './row.ts'

/** What was used, and what the vendor says is left: a click on it asks anew. A tag shows the sum used. */
export function MoneyCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const used = usedOf(row)
  return (
    <>
      <Tag minimal className="tabular">
        <span title={t('quota.exact', { n: used })}>{format(used)}</span>
      </Tag>
      {!isTag(row) && <Remaining channel={row} />}
    </>
  )
}

/** In US dollars; only where the vendor tells. */
function Remaining({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.balance)
  if (!channelTypeById(channel.type)?.balance) return null
  const { name, balance_updated_time: at } = channel
  const title = at > 0 ? t('channel.balanceAt', { time: formatTime(at) }) : t('channel.balanceNever')
  const done = () => showSuccess(t('channel.balanceOk', { name }))
  const amount = `$${channel.balance.toFixed(2)}`
  return (
    <Button
      size="small"
      variant="minimal"
      className="tabular"
      text={amount}
      title={title}
      aria-label={t('channel.balanceOf', { name, amount })}
      loading={isPending}
      onClick={() => mutate({ params: { id: channel.id } }, { onSuccess: done })}
    />
  )
}
