import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router-dom'
import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { useCall } from '../../api/use-call.ts'
import { later } from '../../components/later.tsx'
import { showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { invitePath, isFromList, listPath, newPath } from './addresses.ts'

const NewDrawer = later(async () => (await import('./new-drawer.tsx')).NewDrawer)
const InviteDrawer = later(async () => (await import('./invite-drawer.tsx')).InviteDrawer)
const EditDrawer = later(async () => (await import('./edit-drawer.tsx')).EditDrawer)

/**
 * Opens the drawer of /user/new, /user/invite and /user/edit/{id} over the list; closing it leads to the list, as
 * does Back (docs/reference/screens.md#routes). Remounted each time, so that no draft leaks.
 */
export function Drawers() {
  const { pathname } = useLocation()
  const edited = useMatch('/user/edit/:id')
  const close = useClose()
  if (pathname === newPath) return <NewDrawer onClose={close} />
  if (pathname === invitePath) return <InviteDrawer onClose={close} />
  const id = Number(edited?.params.id)
  return edited && Number.isSafeInteger(id) ? <DrawerOf key={id} id={id} onClose={close} /> : null
}

/** Leads to the list, at the part named in the address. */
function useToList(): () => void {
  const { search } = useLocation()
  const navigate = useNavigate()
  return () => void navigate({ pathname: listPath, search }, { replace: true })
}

/** Goes back if opened from the list, leaving no history entry; else navigates to the list. */
function useClose(): () => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  const toList = useToList()
  return () => (isFromList(state) ? void navigate(-1) : toList())
}

/** Waits for fresh data, because the form starts with it; navigates to the list if the account cannot be edited. */
function DrawerOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation()
  const { data, isFetchedAfterMount, error } = useCall(userAdmin.one, { params: { id } })
  const [opened, setOpened] = useState<ManagedUser>()
  const isThere = data !== undefined && isFetchedAfterMount && !error
  const isGone = !opened && isThere && data.DeletedAt !== null
  if (!opened && isThere && !isGone) setOpened(data)
  const isRefused = !opened && (error !== null || isGone)
  const leave = useEffectEvent(useToList())
  useEffect(() => {
    if (isGone) showWarning(t('auth.deactivated'))
    if (isRefused) leave()
  }, [t, isGone, isRefused])
  return opened ? <EditDrawer user={opened} onClose={onClose} /> : null
}
