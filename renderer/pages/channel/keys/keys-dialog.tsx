import './keys-dialog.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Plus, Refresh } from '@blueprintjs/icons'
import { useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { StaleNote } from '../../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../../translation.ts'
import { AddKeys } from './add-keys.tsx'
import { KeyList } from './key-list.tsx'
import { useKeys } from './use-keys.ts'

type KeysDialogProps = Readonly<{ channel: ChannelView; onClose: () => void }>

/**
 * The keys of a channel with their state; each can be switched and removed. The field that adds keys is behind a button
 * if the channel has several keys.
 */
export function KeysDialog({ channel, onClose }: KeysDialogProps) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(channel.key_count === 1)
  return (
    <Dialog
      className="keys-dialog fits-window"
      title={t('keys.title', { name: channel.name })}
      isCloseButtonShown={false}
      isOpen
      onClose={onClose}
    >
      <DialogBody>
        <Keys channel={channel} onLeave={onClose} />
        {isAdding && <AddKeys channel={channel} />}
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />}>
        {!isAdding && <Button icon={<Plus />} text={t('keys.more')} onClick={() => setAdding(true)} />}
      </DialogFooter>
    </Dialog>
  )
}

/** Loading, failed or filled: a channel always has a key. */
function Keys({ channel, onLeave }: Readonly<{ channel: ChannelView; onLeave: () => void }>) {
  const { t } = useTranslation()
  const { data: keys, error, refetch, dataUpdatedAt } = useKeys(channel.id)
  if (error && !keys) {
    return (
      <>
        <p>{error.message}</p>
        <Button icon={<Refresh />} text={t('state.retry')} onClick={() => void refetch()} />
      </>
    )
  }
  if (!keys) {
    return (
      <div className="keys-dialog-waiting" role="status" aria-label={t('state.loading')}>
        {['a', 'b', 'c'].map((line) => (
          <div key={line} className={Classes.SKELETON} />
        ))}
      </div>
    )
  }
  return (
    <>
      <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />
      <KeyList channel={channel} keys={keys} onLeave={onLeave} />
    </>
  )
}
