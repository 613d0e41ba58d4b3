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
 * /user/new, /user/invite and /user/edit/{id} open their drawer over the list; closing it leads to the list, and so does Back
 * (docs/reference/screens.md#routes). Mounted again each time, so that no draft leaks.
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

/** Leads to the list, to the part of it that the address names. */
function useToList(): () => void {
  const { search } = useLocation()
  const navigate = useNavigate()
  return () => void navigate({ pathname: listPath, search }, { replace: true })
}

/** Who came from the list goes back to it, with nothing left in the history; who came by a link is led there. */
function useClose(): () => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  const toList = useToList()
  return () => (isFromList(state) ? void navigate(-1) : toList())
}

/** Waits for the account as it is now, for the form starts at it; one that cannot be changed leads to the list. */
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
