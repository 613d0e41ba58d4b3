import { MenuItem } from '@blueprintjs/core'
import { Dollar } from '@blueprintjs/icons'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { useTranslation } from '../../../translation.ts'
import { hasBalance, useBalanceUpdate } from './use-balance.ts'

/** Asks a channel's vendor what is left; the cell of the row tells the answer. Absent where no vendor tells. */
export function BalanceItem({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const update = useBalanceUpdate(channel)
  return hasBalance(channel) && <MenuItem icon={<Dollar />} text={t('balance.update')} onClick={update} />
}
