import { Card, Classes, H2, Tag } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { UserView } from '../../../shared/api/user.ts'
import { role } from '../../../shared/enums.ts'
import { shownName } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { Count, groupDigits } from '../../components/count.tsx'
import { useGroupName } from '../../components/group-name.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import { useTranslation } from '../../translation.ts'

export function Balance({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="personal-section" aria-labelledby={id}>
      <Card className="personal-card">
        <div className="personal-who">
          <H2 id={id} className="personal-name">
            {shownName(account)}
          </H2>
          <GroupAndRole account={account} />
          <span className="personal-id">
            <span className={Classes.TEXT_MUTED}>{t('label.id')}</span>
            <CopyValue value={String(account.id)} label={t('personal.copyId')} />
          </span>
        </div>
        <Figures
          figures={[
            { id: 'balance', title: t('label.currentBalance'), value: <Amount quota={account.quota} /> },
            { id: 'used', title: t('label.historicalConsumption'), value: <Amount quota={account.used_quota} /> },
            { id: 'requests', title: t('label.requestCount'), value: <Count of={account.request_count} /> },
          ]}
        />
      </Card>
    </section>
  )
}

/** Group and role; in self-use mode only a group that was chosen. */
function GroupAndRole({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const { self_use_mode_enabled: isAlone } = useStatus()
  const group = account.group || 'default'
  return (
    <>
      {!isAlone && (
        <Tag minimal intent={account.role >= role.root ? 'primary' : 'none'}>
          {t(account.role >= role.root ? 'label.admin' : 'role.user')}
        </Tag>
      )}
      {(!isAlone || group !== 'default') && (
        <span title={t('label.group')}>
          <HashTag text={nameOf(group)} />
        </span>
      )}
    </>
  )
}

type Figure = Readonly<{ id: string; title: string; value: ReactNode }>

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="personal-figures">
      {figures.map(({ id, title, value }) => (
        <div key={id} className="personal-figure">
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An amount in the operator's unit, with the exact one on hover. */
export function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return <span title={t('quota.exact', { n: groupDigits(quota) })}>{format(quota)}</span>
}
