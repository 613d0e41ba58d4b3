import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { type ChannelView, channel as calls } from '../../../shared/api/channel.ts'
import { useCall } from '../../api/use-call.ts'
import { ChannelDrawer } from './editor/channel-drawer.tsx'
import { TagDrawer } from './editor/tag-drawer.tsx'
import { isTag, type TagRow } from './list/row.ts'

/** What a drawer is open for: a new channel, an old one, a whole tag, or nothing. */
export type Editing = ChannelView | TagRow | 'new' | undefined

type DrawersProps = Readonly<{ editing: Editing; onClose: () => void }>

/** The drawer that is asked for on the page or by its address; mounted anew each time, so that no draft leaks. */
export function Drawers({ editing, onClose }: DrawersProps) {
  if (editing === undefined) return <AddressedDrawer />
  if (editing === 'new') return <ChannelDrawer onClose={onClose} />
  if (!isTag(editing)) return <ChannelDrawer channel={editing} onClose={onClose} />
  return <TagDrawer tag={editing.tag ?? ''} onClose={onClose} />
}

/**
 * /channel/add and /channel/edit/{id} open their drawer at once; closing it leads to the list
 * (docs/reference/screens.md#routes).
 */
function AddressedDrawer() {
  const { pathname } = useLocation()
  const { id } = useParams()
  const navigate = useNavigate()
  const close = () => void navigate('/channel', { replace: true })
  if (pathname === '/channel/add') return <ChannelDrawer onClose={close} />
  return id === undefined ? null : <DrawerOf id={Number(id)} onClose={close} />
}

function DrawerOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useCall(calls.one, { params: { id } })
  return data ? <ChannelDrawer channel={data} onClose={onClose} /> : null
}
