import { Classes } from '@blueprintjs/core'
import { useMemo } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { channelTypeById, channelTypeLabel, channelTypeNameById } from '../../../../shared/channel-types.ts'
import { useQuotaFormat } from '../../../components/amount.ts'
import { CopyValue } from '../../../components/copy-text/copy-value.tsx'
import { groupDigits } from '../../../components/count.tsx'
import { GroupTags } from '../../../components/group-tags/group-tags.tsx'
import { HashTag } from '../../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../../components/page-table/page-table.tsx'
import { RowTag } from '../../../components/row-tag.tsx'
import { VendorMark } from '../../../components/vendor-mark/vendor-mark.tsx'
import { currentLocale } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { editPath, fromList } from '../addresses.ts'
import { ActivityCell } from './activity-cell.tsx'
import { LastTest } from './last-test.tsx'
import { OrderCell } from './order-cell.tsx'
import { Remaining } from './remaining.tsx'
import { channelsOf, groupsOf, isTag, namesIn, type Row, usedOf } from './row.ts'
import { StatusCell } from './status-cell.tsx'
import './models-cell.css'
import { TagPopover } from '../../../components/popover/tag-popover.tsx'

/** Columns that are hidden by default, because the name column shows the vendor's mark and the id as well. */
export const hiddenAtFirst: readonly string[] = ['id', 'type']

/**
 * Columns of the channel list (docs/reference/screens.md#channels); the name is first, because it is the heading of
 * cards.
 */
export function useChannelColumns(): readonly Column<Row>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      { id: 'name', title: t('label.name'), cell: (row) => <NameCell row={row} />, sort: 'name' },
      { id: 'id', title: t('label.id'), isSecondary: true, cell: (row) => <IdCell row={row} />, sort: 'id' },
      { id: 'group', title: t('label.group'), isSecondary: true, cell: (row) => <GroupTags groups={groupsOf(row)} /> },
      { id: 'type', title: t('label.type'), isSecondary: true, cell: (row) => <TypeCell row={row} /> },
      { id: 'models', title: t('channel.section.models'), isSecondary: true, cell: (row) => <ModelsCell row={row} /> },
      { id: 'status', title: t('label.status'), cell: (row) => <StatusCell row={row} /> },
      { id: 'time', title: t('channel.lastTest'), cell: (row) => <LastTest row={row} />, sort: 'response_time' },
      { id: 'activity', title: t('channel.activity'), cell: (row) => <ActivityCell row={row} /> },
      {
        id: 'money',
        title: t('label.usedRemaining'),
        short: t('channel.usedRemaining'),
        cell: (row) => <MoneyCell row={row} />,
        sort: 'used_quota',
        isNumeric: true,
      },
      {
        id: 'priority',
        isSecondary: true,
        title: t('label.priority'),
        isNumeric: true,
        cell: (row) => <OrderCell row={row} field="priority" />,
        sort: 'priority',
      },
      {
        id: 'weight',
        isSecondary: true,
        title: t('label.weight'),
        isNumeric: true,
        cell: (row) => <OrderCell row={row} field="weight" />,
        sort: 'weight',
      },
    ],
    [t],
  )
}

function NameCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const tagged = isTag(row) && (row.tag === null ? t('channel.untagged') : t('channel.tagName', { tag: row.tag }))
  if (isTag(row)) return <span className="channel-name">{tagged}</span>
  return (
    <span className="channel-title">
      <span className={`channel-number tabular ${Classes.TEXT_MUTED}`}>
        <VendorMark type={channelTypeNameById(row.type) ?? 'custom'} /> #{row.id}
      </span>{' '}
      <Link className="channel-name" title={row.name} to={{ pathname: editPath(row), search }} state={fromList}>
        {row.name}
      </Link>
    </span>
  )
}

function IdCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (isTag(row)) return '—'
  return <CopyValue value={String(row.id)} label={t('channel.copyId', { name: row.name })} />
}

function TypeCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (isTag(row)) return row.tag === null ? '—' : <HashTag text={t('channel.tagAggregate')} colour="light-blue" />
  const type = channelTypeById(row.type)
  if (!type) return <HashTag text={String(row.type)} colour="grey" />
  return <HashTag text={channelTypeLabel(type, currentLocale())} colour={type.color} />
}

/** Used quota and the vendor's remaining balance; a click refreshes the balance. Tags show the sum of used quota. */
function MoneyCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const used = usedOf(row)
  return (
    <span className="money-cell">
      <RowTag className="tabular">
        <span title={t('quota.exact', { n: groupDigits(used) })}>{format(used)}</span>
      </RowTag>
      {!isTag(row) && <Remaining channel={row} />}
    </span>
  )
}

function ModelsCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const models = [...new Set(channelsOf(row).flatMap((channel) => namesIn(channel.models)))]
  const name = isTag(row) ? t('channel.tagName', { tag: row.tag ?? '' }) : row.name
  const label = t('channel.modelsOf', { name, n: models.length })
  return (
    <TagPopover
      intent="none"
      className="models-cell"
      hint={models.slice(0, HINTED).join('\n')}
      content={
        <div className="models-list" role="dialog" aria-label={label}>
          <strong>{label}</strong>
          <ul className={Classes.MONOSPACE_TEXT}>
            {models.map((model) => (
              <li key={model}>{model}</li>
            ))}
          </ul>
        </div>
      }
    >
      <span className="models-cell-count tabular">{models.length}</span>{' '}
      <span className="models-cell-names">{models.slice(0, SHOWN).join(', ')}</span>
    </TagPopover>
  )
}

const SHOWN = 2
const HINTED = 30
