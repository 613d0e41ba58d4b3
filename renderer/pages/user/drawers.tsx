import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router-dom'
import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { useCall } from '../../api/use-call.ts'
import { later } from '../../components/later.tsx'
import { showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { invitePath, isFromList, listPath, newPath } from './addresses.ts'
import { useAddQuota } from './use-add-quota.ts'

const NewDrawer = later(async () => (await import('./new-drawer.tsx')).NewDrawer)
const InviteDrawer = later(async () => (await import('./invite-drawer.tsx')).InviteDrawer)
const EditDrawer = later(async () => (await import('./edit-drawer.tsx')).EditDrawer)
const AddQuotaDialog = later(async () => (await import('./add-quota-dialog.tsx')).AddQuotaDialog)

/**
 * Opens the drawer of /user/new, /user/invite and /user/edit/{id}, or the dialog of /user/quota/{id}, over the list;
 * closing it leads to the list, as does Back (docs/reference/screens.md#routes). Remounted each time, so that no draft
 * leaks.
 */
export function Drawers() {
  const { pathname } = useLocation()
  const of = useMatch('/user/:form/:id')
  const close = useClose()
  // Called here rather than in the dialog, so that the change is reported even after the dialog is closed.
  const addQuota = useAddQuota()
  if (pathname === newPath) return <NewDrawer onClose={close} />
  if (pathname === invitePath) return <InviteDrawer onClose={close} />
  const id = Number(of?.params.id)
  const form = forms.find((name) => name === of?.params.form)
  if (!form || !Number.isSafeInteger(id)) return null
  return <FormOf key={pathname} form={form} id={id} onAdd={addQuota} onClose={close} />
}

const forms = ['edit', 'quota'] as const

/** Returns a function that leads to the list, with the filter and page of the address. */
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

type FormOfProps = Readonly<{
  form: (typeof forms)[number]
  id: number
  onAdd: ReturnType<typeof useAddQuota>
  onClose: () => void
}>

/** Waits for fresh data, because the form starts with it; navigates to the list if the account cannot be edited. */
function FormOf({ form, id, onAdd, onClose }: FormOfProps) {
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
  if (!opened) return null
  if (form === 'edit') return <EditDrawer user={opened} onClose={onClose} />
  const { username, quota } = opened
  return (
    <AddQuotaDialog
      title={t('user.addQuotaTitle', { name: username })}
      old={quota}
      onAdd={(amount) => onAdd(opened, quota + amount)}
      onClose={onClose}
    />
  )
}
