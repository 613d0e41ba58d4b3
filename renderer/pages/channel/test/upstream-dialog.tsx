import './upstream-dialog.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter, HTMLTable } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { useCall } from '../../../api/use-call.ts'
import { GroupTags } from '../../../components/group-tags/group-tags.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'

/** The groups and client kinds that a channel has served, and when (docs/reference/channels.md#client-usage). */
export function UpstreamDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="upstream-dialog fits-window"
      title={t('channel.clientUsageTitle', { name: channel.name })}
      isCloseButtonShown={false}
      isOpen
      onClose={onClose}
    >
      <DialogBody>
        <Seen channel={channel} />
      </DialogBody>
      <DialogFooter actions={<Button autoFocus text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

function Seen({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(calls.upstreamSeen, { params: { id: channel.id } }, { quiet: true })
  if (error && !data) {
    return (
      <>
        <p>{error.message}</p>
        <Button icon={<Refresh />} text={t('state.retry')} onClick={() => void refetch()} />
      </>
    )
  }
  if (!data) return <p className={Classes.SKELETON}>{t('state.loading')}</p>
  if (data.length === 0) return <p className={Classes.TEXT_MUTED}>{t('channel.clientUsageNone')}</p>
  return (
    <SeenTable titles={[t('label.group'), t('channel.clients'), t('channel.firstUsed'), t('channel.lastUsed')]}>
      {data.map(({ group, client_types, first_seen, last_seen }) => (
        <tr key={group}>
          <td>
            <GroupTags groups={[group]} />
          </td>
          <td>{client_types.join(', ')}</td>
          <td>
            <TimeText at={first_seen} />
          </td>
          <td>
            <TimeText at={last_seen} />
          </td>
        </tr>
      ))}
    </SeenTable>
  )
}

function SeenTable({ titles, children }: { titles: readonly string[]; children: ReactNode }) {
  return (
    <div className="upstream-dialog-rows">
      <HTMLTable compact>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </HTMLTable>
    </div>
  )
}
