import { Card, Classes, H2, type Intent } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { Link } from 'react-router-dom'
import type { GuestKeyView } from '../../../shared/api/guest-key.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { RevokeButton } from './revoke-button.tsx'
import { useGuestKeys } from './use-share.ts'

export function GuestKeys() {
  const { t } = useTranslation()
  const { data, error, refetch } = useGuestKeys()
  return (
    <Card className="share-part">
      <H2 className="share-title">{t('sharing.keys')}</H2>
      <p className={Classes.TEXT_MUTED}>{t('sharing.keysHint')}</p>
      {error && !data && <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />}
      {!error && !data && (
        <div className={`share-list-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
      )}
      {data?.length === 0 && (
        <BlankState
          scope="section"
          icon={<Key size={48} />}
          title={t('sharing.noKeys')}
          description={t('sharing.noKeysHint')}
        />
      )}
      {data && data.length > 0 && (
        <>
          <ul className="share-list" aria-label={t('sharing.keys')}>
            {data.map((one) => (
              <KeyItem key={one.id} one={one} />
            ))}
          </ul>
          <p className={Classes.TEXT_MUTED}>
            <Link to="/token">{t('sharing.toTokens')}</Link>
          </p>
        </>
      )}
    </Card>
  )
}

function KeyItem({ one }: { one: GuestKeyView }) {
  const { t } = useTranslation()
  const quota = useQuotaFormat()
  return (
    <li className="share-item">
      <div className="share-what">
        <h3 className={`share-name ${Classes.HEADING}`}>{one.name}</h3>
        <code className={Classes.MONOSPACE_TEXT}>{one.masked_key}</code>
        <div>
          <StatusTag intent={intents[one.state]} text={t(`sharing.keyState.${one.state}`)} />
        </div>
      </div>
      <dl className="share-figures">
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('label.quota')}</dt>
          <dd>{t('sharing.left', { left: quota(one.remain_quota), used: quota(one.used_quota) })}</dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.models')}</dt>
          <dd>{one.models.length === 0 ? t('sharing.allModels') : one.models.join(', ')}</dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.expires')}</dt>
          <dd>
            <TimeText at={one.expires_at} isShort />
          </dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('sharing.lastUsed')}</dt>
          <dd>{one.last_used_at === 0 ? t('sharing.never') : <AgeText at={one.last_used_at} />}</dd>
        </div>
      </dl>
      <div className="share-acts">{one.state !== 'revoked' && <RevokeButton id={one.id} name={one.name} />}</div>
    </li>
  )
}

const intents = { active: 'success', revoked: 'danger', expired: 'none', used_up: 'warning' } as const satisfies Record<
  GuestKeyView['state'],
  Intent
>
