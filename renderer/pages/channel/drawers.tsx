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
  /** The tag that is edited; the forms of channels have addresses of their own. */
  tag: TagRow | undefined
  onCloseTag: () => void
}>

/** The drawer that is asked for on the page or by its address; mounted again each time, so that no draft leaks. */
export function Drawers({ tag, onCloseTag }: DrawersProps) {
  return tag ? <TagDrawer tag={tag.tag ?? ''} onClose={onCloseTag} /> : <AddressedDrawer />
}

/**
 * /channel/new (and /channel/add) and /channel/edit/{id} open their drawer; closing it leads to the list, and so does Back
 * (docs/reference/screens.md#routes).
 */
function AddressedDrawer() {
  const { pathname } = useLocation()
  const edited = useMatch('/channel/edit/:id')
  const close = useClose()
  if (pathname === newPath || pathname === '/channel/add') return <ChannelDrawer onClose={close} />
  const id = Number(edited?.params.id)
  return Number.isSafeInteger(id) ? <DrawerOf key={id} id={id} onClose={close} /> : null
}

/** Who came from the list goes back to it, with nothing left in the history; who came by a link is led there. */
function useClose(): () => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  return () => void (isFromList(state) ? navigate(-1) : navigate(listPath, { replace: true }))
}

/** Waits for the channel as it is now, for the form starts at it; one that cannot be read leads to the list. */
function DrawerOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, isFetchedAfterMount, error } = useCall(calls.one, { params: { id } })
  const navigate = useNavigate()
  useEffect(() => {
    if (error) void navigate(listPath, { replace: true })
  }, [error, navigate])
  return data && isFetchedAfterMount && !error ? <ChannelDrawer channel={data} onClose={onClose} /> : null
}
