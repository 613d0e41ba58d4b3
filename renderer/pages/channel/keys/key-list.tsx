import { Classes, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { routing } from '../../../../shared/api/routing.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { useTranslation } from '../../../translation.ts'
import { editPath, fromList } from '../addresses.ts'
import { KeyRow } from './key-row.tsx'
import { keyName, type TimedKey } from './use-keys.ts'

type KeyListProps = Readonly<{
  channel: ChannelView
  keys: readonly TimedKey[]
  /** Leaves the dialog for the form of the channel. */
  onLeave: () => void
}>

/** A channel's keys and how many are usable; a long list can be searched by position, key ending and error. */
export function KeyList({ channel, keys, onLeave }: KeyListProps) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const [wanted, setWanted] = useState('')
  const [removing, setRemoving] = useState<TimedKey>()
  const list = usePreservedFocus(keys, removing)
  const shown = keys.filter((key) => fits(key, wanted.trim().toLowerCase()))
  return (
    <>
      <p>
        {keys.length === 1 ? t('keys.one') : t('keys.count', { n: keys.length, usable: keys.filter(isUsable).length })}
      </p>
      {keys.length === 1 && (
        <p className="keys-only">
          {t('keys.lastSwitched')}.{' '}
          <Link to={{ pathname: editPath(channel), search }} state={fromList} onClick={onLeave}>
            {t('keys.replace')}
          </Link>
        </p>
      )}
      {keys.length > searchable && (
        <InputGroup
          leftIcon={<Search />}
          placeholder={t('keys.find')}
          aria-label={t('keys.find')}
          value={wanted}
          onValueChange={setWanted}
        />
      )}
      {shown.length === 0 && <p className={Classes.TEXT_MUTED}>{t('keys.noMatch')}</p>}
      <ul ref={list} tabIndex={-1} className="key-list" aria-label={t('keys.list')}>
        {shown.map((key) => (
          <KeyRow
            key={key.id}
            channel={channel}
            item={key}
            isLast={keys.length === 1}
            onRemove={() => setRemoving(key)}
          />
        ))}
      </ul>
      {removing && <RemoveConfirmation channel={channel} item={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

/** Focuses the list when its focused row is removed; otherwise the dialog would get no key presses. */
function usePreservedFocus(keys: readonly TimedKey[], removing: TimedKey | undefined) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (keys.length > 0 && !removing && document.activeElement === document.body) list.current?.focus()
  }, [keys, removing])
  return list
}

/** Maximum number of keys for which the list has no search. */
const searchable = 8

const isUsable = ({ status, cooldowns }: TimedKey): boolean =>
  status === channelStatus.enabled && cooldowns.every(({ model }) => model !== '')

const fits = (key: TimedKey, wanted: string): boolean =>
  [keyName(key), key.reason, ...key.cooldowns.map(({ message }) => message)].some((text) =>
    text.toLowerCase().includes(wanted),
  )

type RemoveConfirmationProps = Readonly<{ channel: ChannelView; item: TimedKey; onClose: () => void }>

/** Removing a key is final, so the confirmation names key and channel. */
function RemoveConfirmation({ channel: { id, name }, item, onClose }: RemoveConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(routing.removeKey)
  return (
    <Confirm
      isOpen
      question={t('keys.removeAsk', { key: keyName(item), name })}
      verb={t('keys.removeVerb')}
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => mutate({ params: { id, key: item.id } }, { onSettled: onClose })}
    >
      {t('keys.removeHint')}
    </Confirm>
  )
}
