import { useEffect } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router-dom'
import { channel as calls } from '../../../shared/api/channel.ts'
import { useCall } from '../../api/use-call.ts'
import { later } from '../../components/later.tsx'
import { isFromList, listPath, newPath } from './addresses.ts'
import type { TagRow } from './list/row.ts'

const ChannelDrawer = later(async () => (await import('./editor/channel-drawer.tsx')).ChannelDrawer)
const TagDrawer = later(async () => (await import('./editor/tag-drawer.tsx')).TagDrawer)

type DrawersProps = Readonly<{
  /** The tag being edited; channel forms have their own addresses. */
  tag: TagRow | undefined
  onCloseTag: () => void
}>

/** The drawer opened on the page or by its address; remounted each time, so that no draft leaks. */
export function Drawers({ tag, onCloseTag }: DrawersProps) {
  return tag ? <TagDrawer tag={tag.tag ?? ''} onClose={onCloseTag} /> : <AddressedDrawer />
}

/**
 * Opens the drawer of /channel/new (and /channel/add) and /channel/edit/{id}; closing it leads to the list, as does
 * Back (docs/reference/screens.md#routes).
 */
function AddressedDrawer() {
  const { pathname } = useLocation()
  const edited = useMatch('/channel/edit/:id')
  const close = useClose()
  if (pathname === newPath || pathname === '/channel/add') return <ChannelDrawer onClose={close} />
  const id = Number(edited?.params.id)
  return Number.isSafeInteger(id) ? <DrawerOf key={id} id={id} onClose={close} /> : null
}

/** Goes back if opened from the list, leaving no history entry; else navigates to the list. */
function useClose(): () => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  return () => void (isFromList(state) ? navigate(-1) : navigate(listPath, { replace: true }))
}

/** Waits for fresh data, because the form starts with it; navigates to the list if loading fails. */
function DrawerOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, isFetchedAfterMount, error } = useCall(calls.one, { params: { id } })
  const navigate = useNavigate()
  useEffect(() => {
    if (error) void navigate(listPath, { replace: true })
  }, [error, navigate])
  return data && isFetchedAfterMount && !error ? <ChannelDrawer channel={data} onClose={onClose} /> : null
}
