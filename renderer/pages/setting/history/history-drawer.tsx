import './history.css'
import { Button, Classes, Drawer, H2, Tag } from '@blueprintjs/core'
import { Cross, History } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { OptionChangeView } from '../../../../shared/api/option-history.ts'
import { isOptionKey, optionKeys } from '../../../../shared/options/index.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { formatShortTime } from '../../../components/date-time.ts'
import { focusFirst } from '../../../components/focus-after.ts'
import { type ListView, PageTable } from '../../../components/page-table/page-table.tsx'
import { Select } from '../../../components/select.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTranslation } from '../../../translation.ts'
import { ChangeDetail, useChangeText } from './change-detail.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { useHistory } from './use-history.ts'
import { useOptionName } from './use-option-name.ts'

manageFocus()

type HistoryDrawerProps = Readonly<{
  /** The setting whose changes are shown; '' for all. */
  option: string
  onOption: (option: string) => void
  onClose: () => void
}>

/** The history of settings: what was changed, by whom and when, with an undo for each. Mount it to open it. */
export function HistoryDrawer({ option, onOption, onClose }: HistoryDrawerProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const isNarrow = useNarrow()
  return (
    <Drawer isOpen onClose={onClose} size={isNarrow ? '100%' : 'min(1080px, 94%)'}>
      <div className="history-drawer" role="dialog" tabIndex={-1} aria-modal aria-labelledby={titleId}>
        <div className={Classes.DRAWER_HEADER}>
          <H2 id={titleId}>{t('history.title')}</H2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
        </div>
        <div className={`${Classes.DRAWER_BODY} history-body`}>
          <OptionFilter option={option} onOption={onOption} />
          <Changes option={option} onOption={onOption} />
        </div>
      </div>
    </Drawer>
  )
}

function OptionFilter({ option, onOption }: Omit<HistoryDrawerProps, 'onClose'>) {
  const { t } = useTranslation()
  const nameOf = useOptionName()
  const id = useId()
  const named = optionKeys
    .map((key) => ({ value: key, label: `${nameOf(key)} (${key})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  // A link may name a setting that no longer exists.
  const unknown = option !== '' && !isOptionKey(option) ? [{ value: option, label: option }] : []
  return (
    <div className="history-filter">
      <label htmlFor={id}>{t('history.setting')}</label>
      <Select
        id={id}
        value={option}
        options={[{ value: '', label: t('history.allSettings') }, ...unknown, ...named]}
        onChange={(event) => onOption(event.currentTarget.value)}
      />
    </div>
  )
}

function Changes({ option, onOption }: Omit<HistoryDrawerProps, 'onClose'>) {
  const { t } = useTranslation()
  const page = useHistory(option)
  const [undone, setUndone] = useState<OptionChangeView>()
  const view = useChangesView(setUndone)
  const showAll = () => {
    focusFirst(() => document.querySelector('.history-filter select'))
    onOption('')
  }
  const all = <Button text={t('history.showAll')} onClick={showAll} />
  return (
    <>
      <PageTable
        view={view}
        page={page}
        empty={
          <BlankState
            scope="section"
            icon={<History size={48} />}
            title={t(option === '' ? 'history.none' : 'history.noneOf')}
            description={t('history.noneHint')}
            action={option === '' ? undefined : all}
          />
        }
      />
      {undone && <UndoDialog change={undone} onEnd={() => setUndone(undefined)} />}
    </>
  )
}

function useChangesView(undo: (change: OptionChangeView) => void): ListView<OptionChangeView> {
  const { t } = useTranslation()
  const nameOf = useOptionName()
  const textOf = useChangeText()
  return {
    label: t('history.title'),
    keyOf: ({ id }) => id,
    nameOf: ({ key, created_at: at }) => t('history.named', { name: nameOf(key), time: formatShortTime(at) }),
    columns: [
      {
        id: 'setting',
        title: t('history.setting'),
        cell: ({ key }) => (
          <div className="history-setting">
            {nameOf(key)}
            <code className={`history-key ${Classes.TEXT_MUTED}`}>{key}</code>
          </div>
        ),
      },
      {
        id: 'change',
        title: t('history.change'),
        cell: (change) => <span className="history-change">{textOf(change)}</span>,
      },
      { id: 'who', title: t('history.who'), cell: (change) => <Who change={change} /> },
      { id: 'when', title: t('label.time'), cell: ({ created_at: at }) => <TimeText at={at} isShort /> },
    ],
    actions: (change) =>
      change.can_undo && (
        <Button
          size="small"
          text={t('history.undo')}
          aria-label={t('history.undoOf', { name: nameOf(change.key), time: formatShortTime(change.created_at) })}
          onClick={() => undo(change)}
        />
      ),
    detail: (change) => <ChangeDetail change={change} />,
  }
}

/** Who made a change, and through what if not by hand. */
function Who({ change: { username, origin } }: { change: OptionChangeView }) {
  const { t } = useTranslation()
  return (
    <span className="history-who">
      {username === '' ? t('history.gateway') : username}
      {origin !== 'edit' && <Tag minimal>{t(`history.origin.${origin}`)}</Tag>}
    </span>
  )
}
