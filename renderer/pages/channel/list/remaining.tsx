import './remaining.css'
import { Button, Classes, Tag } from '@blueprintjs/core'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { formatDollars, groupMoney } from '../../../../shared/money.ts'
import { formatTime } from '../../../components/date-time.ts'
import { useTranslation } from '../../../translation.ts'
import { hasBalance, useBalanceState, useBalanceUpdate } from './use-balance.ts'

/** The vendor's remaining balance in US dollars; a click refreshes it, errors are shown below. */
export function Remaining({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const update = useBalanceUpdate(channel)
  const { isRequesting, error } = useBalanceState(channel)
  if (!hasBalance(channel)) {
    return (
      <span className={Classes.TEXT_MUTED} title={t('balance.noneHint')}>
        <span aria-hidden>—</span>
        <span className="page-table-spoken">{t('balance.none')}</span>
      </span>
    )
  }
  const { name, balance, balance_updated_time: at } = channel
  const amount = at > 0 ? groupMoney(formatDollars(balance, 2)) : '—'
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        className="tabular"
        text={amount}
        title={at > 0 ? t('channel.balanceAt', { time: formatTime(at) }) : t('channel.balanceNever')}
        aria-label={at > 0 ? t('channel.balanceOf', { name, amount }) : t('channel.balanceUnknown', { name })}
        loading={isRequesting}
        onClick={update}
      />
      <div className="remaining-failure" role="status">
        {error && (
          <Tag fill minimal multiline intent="danger">
            {t('balance.failed', { why: error.message })}
          </Tag>
        )}
      </div>
    </>
  )
}
