import { Button, Card, Classes, H2, type Intent } from '@blueprintjs/core'
import { GlobeNetwork, Refresh } from '@blueprintjs/icons'
import type { ShareCheck, SharedAddress, ShareView } from '../../../shared/api/share.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { QrCode } from '../../components/qr-code/qr-code.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { type Translate, useTranslation } from '../../translation.ts'
import { useChecks } from './use-share.ts'

export function Addresses({ view: { addresses, settings } }: { view: ShareView }) {
  const { t } = useTranslation()
  const open = addresses.filter(({ is_open: isOpen }) => isOpen).map(({ url }) => url)
  const { data: checks = [], isFetching, refetch } = useChecks(open)
  if (!settings.on) return null
  return (
    <Card className="share-part">
      <header className="share-head">
        <div>
          <H2 className="share-title">{t('sharing.addresses')}</H2>
          <p className={Classes.TEXT_MUTED}>{t('sharing.addressesHint')}</p>
        </div>
        <Button
          icon={<Refresh />}
          text={t('sharing.check')}
          loading={isFetching}
          disabled={open.length === 0}
          onClick={() => void refetch()}
        />
      </header>
      {addresses.length === 0 && (
        <BlankState
          scope="section"
          icon={<GlobeNetwork size={48} />}
          title={t('sharing.noAddress')}
          description={t('sharing.noAddressHint')}
        />
      )}
      <ul className="share-addresses" aria-label={t('sharing.addresses')}>
        {addresses.map((address) => (
          <AddressItem key={address.url} address={address} check={checks.find(({ url }) => url === address.url)} />
        ))}
      </ul>
    </Card>
  )
}

function AddressItem({ address, check }: Readonly<{ address: SharedAddress; check: ShareCheck | undefined }>) {
  const { t } = useTranslation()
  const { url, seen, interface: name, instead_of: before } = address
  const { text, intent, why } = badgeOf(address, check, t)
  return (
    <li className="share-address">
      {address.is_open && <QrCode text={url} label={t('sharing.qrOf', { url })} />}
      <div className="share-address-facts">
        <CopyValue value={url} label={t('sharing.copyUrl', { url })} />
        {name !== '' && <div className={Classes.TEXT_MUTED}>{name}</div>}
        {before !== '' && <p className="share-why">{t('sharing.insteadOf', { address: before })}</p>}
        <div>
          <StatusTag intent={intent} text={text} />
        </div>
        {seen && (
          <div className={Classes.TEXT_MUTED}>
            {t('sharing.seenFrom', { address: seen.from })} · <AgeText at={seen.at} />
          </div>
        )}
        {why !== '' && <p className="share-why">{why}</p>}
      </div>
    </li>
  )
}

type Badge = Readonly<{ text: string; intent: Intent; why: string }>

/** The state of an address; a call from another device is stronger evidence than the gateway's own check. */
function badgeOf(
  { is_open: isOpen, message, seen }: SharedAddress,
  check: ShareCheck | undefined,
  t: Translate,
): Badge {
  if (!isOpen) return { text: t('sharing.closedTag'), intent: 'danger', why: message }
  if (seen) return { text: t('sharing.seen'), intent: 'success', why: '' }
  if (!check) return { text: t('sharing.unchecked'), intent: 'none', why: '' }
  if (check.verdict === 'reachable') return { text: t('sharing.reachable'), intent: 'primary', why: check.message }
  return { text: t('sharing.notReached'), intent: 'warning', why: check.message }
}
