import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { MobilePhone } from '@blueprintjs/icons'
import { useState } from 'react'
import type { DeviceView } from '../../../shared/api/guest-key.ts'
import { type ShareView, share } from '../../../shared/api/share.ts'
import { useSend } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { RevokeButton } from './revoke-button.tsx'
import { useDevices } from './use-share.ts'

export function Devices({ view }: { view: ShareView }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useDevices()
  return (
    <Card className="share-part">
      <H2 className="share-title">{t('sharing.devices')}</H2>
      <p className={Classes.TEXT_MUTED}>{t('sharing.devicesHint')}</p>
      {error && !data && <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />}
      {!error && !data && (
        <div className={`share-list-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
      )}
      {data?.length === 0 && (
        <BlankState
          scope="section"
          icon={<MobilePhone size={48} />}
          title={t('sharing.noDevices')}
          description={t('sharing.noDevicesHint')}
        />
      )}
      {data && data.length > 0 && (
        <ul className="share-list" aria-label={t('sharing.devices')}>
          {data.map((device) => (
            <DeviceItem key={`${device.address} ${device.username} ${device.token_id}`} device={device} view={view} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function DeviceItem({ device, view }: Readonly<{ device: DeviceView; view: ShareView }>) {
  const { t } = useTranslation()
  const { address, username: name, token_id: id, key_name: key } = device
  const isBlocked = view.settings.blocked.includes(address)
  return (
    <li className="share-item">
      <div className="share-what">
        <h3 className={`share-name ${Classes.HEADING}`}>{address}</h3>
        <div>{id === 0 ? t('sharing.session', { name }) : t('sharing.keyOf', { key, name })}</div>
        {isBlocked && (
          <div>
            <StatusTag intent="danger" text={t('sharing.isBlocked')} />
          </div>
        )}
      </div>
      <dl className="share-figures">
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.client')}</dt>
          <dd>{clientName(device.client, t('sharing.client.other'), t('sharing.client.browser'))}</dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.lastCall')}</dt>
          <dd>
            <AgeText at={device.last_at} />
          </dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.today')}</dt>
          <dd className="tabular">{device.calls_today}</dd>
        </div>
      </dl>
      <div className="share-acts">
        {id !== 0 && <RevokeButton id={id} name={key} />}
        {view.decided_by === 'settings' && !isBlocked && <BlockButton address={address} view={view} />}
      </div>
    </li>
  )
}

/** A client's display name; program names are the same in every language. */
function clientName(client: string, other: string, browser: string): string {
  if (client === 'other') return other
  return client === 'browser' ? browser : client
}

/** Blocks an address from the shared listener, after a confirmation. */
function BlockButton({ address, view }: Readonly<{ address: string; view: ShareView }>) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(share.change)
  const [isConfirming, setConfirming] = useState(false)
  const block = () =>
    mutate(
      { body: { blocked: [...view.settings.blocked, address] } },
      { onSuccess: () => showSuccess(t('sharing.blockedNow', { address })), onSettled: () => setConfirming(false) },
    )
  return (
    <>
      <Button
        variant="minimal"
        text={t('sharing.block')}
        aria-label={t('sharing.blockOf', { address })}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('sharing.blockAsk', { address })}
        verb={t('sharing.block')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={block}
      >
        {t('sharing.blockHint')}
      </Confirm>
    </>
  )
}
