import './user.css'
import { Button } from '@blueprintjs/core'
import { NewPerson, People, Plus } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { userStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { type Page, type PagePosition, type PageQuery, type PageRows, usePageAt } from '../../api/use-page.ts'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { type ListView, PageTable } from '../../components/page-table/page-table.tsx'
import { SelectionBar } from '../../components/page-table/selection-bar.tsx'
import { useSelection } from '../../components/page-table/use-selection.ts'
import { useSorting } from '../../components/page-table/use-sorting.ts'
import { useTranslation } from '../../translation.ts'
import type { ConfirmedAction } from './action-confirmation.tsx'
import { editPath, fromList, invitePath, newPath, quotaPath } from './addresses.ts'
import { useUserColumns } from './columns.tsx'
import { Drawers } from './drawers.tsx'
import { actionsFor } from './ladder.ts'
import { RowMenu } from './row-menu.tsx'
import { useShownPart } from './use-shown-part.ts'
import { isFiltered, noFilter, type UserFilter } from './user-address.ts'
import { UserCard } from './user-card.tsx'
import { UserFilters } from './user-filters.tsx'

const ChosenActions = later(async () => (await import('./chosen-actions.tsx')).ChosenActions)
const ActionConfirmation = later(async () => (await import('./action-confirmation.tsx')).ActionConfirmation)

type PendingAction = Readonly<{ user: ManagedUser; action: ConfirmedAction }>

/** All accounts, for administrators (docs/reference/screens.md#users). */
export default function UserPage() {
  const { t } = useTranslation()
  const by = useUser()
  const { filter, position, narrow } = useShownPart()
  const page = useUsers(filter, position)
  const sorting = useSorting(filter, narrow)
  const [pending, setPending] = useState<PendingAction>()
  const open = useOpenForm()
  const selection = useSelection()
  const view = useUserList(by, { open, onAction: setPending })
  const add = (
    <>
      <Button icon={<NewPerson />} text={t('user.inviteButton')} onClick={() => open(invitePath)} />
      <Button intent="primary" icon={<Plus />} text={t('user.add')} onClick={() => open(newPath)} />
    </>
  )
  // Accounts that the new filter hides must not be changed unseen.
  const query = (next: UserFilter) => {
    selection.clear()
    narrow(next)
  }
  const none = (
    <NoMatch
      icon={<People size={48} />}
      title={t('user.noMatch')}
      description={t('user.noMatchHint')}
      onClear={() => query({ ...noFilter, sort: filter.sort })}
    />
  )
  return (
    <PageFrame
      isWide
      title={t('label.manageUsers')}
      action={add}
      filters={<UserFilters filter={filter} onQuery={query} />}
    >
      <div className="user-list">
        <PageTable view={{ ...view, sorting, selection }} page={page} empty={none} />
      </div>
      {selection.ids.length > 0 && (
        <SelectionBar>
          <ChosenActions rows={page.rows} selection={selection} />
        </SelectionBar>
      )}
      {pending && <ActionConfirmation {...pending} onClose={() => setPending(undefined)} />}
      <Drawers />
    </PageFrame>
  )
}

/** Opens a form over the list, whose visible part stays in the address. */
function useOpenForm(): (pathname: string) => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return (pathname) => void navigate({ pathname, search }, { state: fromList })
}

type RowActions = Readonly<{
  open: (pathname: string) => void
  onAction: (pending: PendingAction) => void
}>

/** The list of accounts for the current user; banned or deactivated ones are greyed. */
function useUserList(by: SignedIn | undefined, { open, onAction }: RowActions): ListView<ManagedUser> {
  const { t } = useTranslation()
  const columns = useUserColumns(by)
  return useMemo(
    () => ({
      label: t('label.users'),
      columns,
      keyOf: (row) => row.id,
      nameOf: (row) => row.username,
      actions: (row) =>
        by && (
          <RowMenu
            user={row}
            by={by}
            onEdit={() => open(editPath(row))}
            onAddQuota={() => open(quotaPath(row))}
            onAction={(action) => onAction({ user: row, action })}
          />
        ),
      card: (row) => <UserCard row={row} by={by} />,
      canSelect: (row) => by !== undefined && actionsFor(by, row).length > 0,
      isMuted: (row) => row.status !== userStatus.active || row.DeletedAt !== null,
    }),
    [t, by, columns, open, onAction],
  )
}

/** Accounts that match a filter, page by page (docs/reference/accounts.md#managing-accounts). */
const useUsers = (filter: UserFilter, position: PagePosition): Page<ManagedUser> =>
  usePageAt(userAdmin.list, { filter, position }, cutUsers)

async function cutUsers({ filter, index, size, manner }: PageQuery<UserFilter>): Promise<PageRows<ManagedUser>> {
  const part = { p: index + 1, page_size: size }
  const { items, total } = isFiltered(filter)
    ? await send(userAdmin.search, { query: { ...filter, ...part } }, manner)
    : await send(userAdmin.list, { query: { ...part, sort: filter.sort } }, manner)
  return { rows: items, total }
}
