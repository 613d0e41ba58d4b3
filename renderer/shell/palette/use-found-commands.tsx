import { Cube, Disable, Duplicate, FlowBranch, History, Key, Person, Plus, Route, Tick } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { channel } from '../../../shared/api/channel.ts'
import { token } from '../../../shared/api/token.ts'
import { user as userCalls } from '../../../shared/api/user.ts'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { channelStatus, role } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useSend } from '../../api/use-call.ts'
import { explainPath } from '../../components/explain-path.ts'
import { keyOf, maskedKey } from '../../components/token-key.ts'
import { useSwitchToast } from '../../components/use-switch-toast.ts'
import { useTranslation } from '../../translation.ts'
import type { Command } from './command.ts'

type CopyText = (text: string, shown?: string) => void

/** A search begins with this many characters. */
const MIN_LENGTH = 2
/** Maximum number of objects listed of each kind. */
const MAX_FOUND = 4
/** If more objects of a kind are found, only the objects are listed, without what can be done with each. */
const MAX_WITH_ACTIONS = 2
const PAUSE_MS = 200

/** Channels, users, tokens, models and requests that match the typed text, and what can be done with each. */
export function useFoundCommands(typed: string, copy: CopyText): readonly Command[] {
  const text = useSettled(typed.trim())
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const { data } = useQuery({
    queryKey: ['palette', text, isAdmin],
    queryFn: ({ signal }) => search(text, isAdmin, signal),
    enabled: text.length >= MIN_LENGTH,
    staleTime: 5000,
  })
  const commands = [
    useRequestCommand(text),
    useChannelCommands(data?.channels ?? []),
    useUserCommands(data?.users ?? []),
    useTokenCommands(data?.tokens ?? [], copy),
    useModelCommands(data?.models ?? [], isAdmin),
  ].flat()
  // Objects match by more than their name, so the typed text is a keyword of each command, and the palette does not
  // filter them out.
  return commands.map((command) => ({ ...command, keywords: typed, isSearchOnly: true }))
}

/** The text, debounced. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

type Found = Awaited<ReturnType<typeof search>>

/** Searches all kinds of objects; a kind that cannot be read is left out. */
async function search(text: string, isAdmin: boolean, signal: AbortSignal) {
  const manner = { quiet: true, signal }
  const orNone = <T,>(rows: Promise<readonly T[]>): Promise<readonly T[]> => rows.catch(() => [])
  const byName = { keyword: text, group: '', model: '', id_sort: false, tag_mode: false, limit: MAX_FOUND }
  const accounts = { keyword: text, group: '', role: '', status: '', p: 1, page_size: MAX_FOUND } as const
  const [channels, users, tokens, models] = await Promise.all([
    isAdmin ? orNone(send(channel.search, { query: byName }, manner)) : [],
    isAdmin ? orNone(send(userAdmin.search, { query: accounts }, manner).then(({ items }) => items)) : [],
    orNone(send(token.search, { query: { keyword: text, token: '' } }, manner)),
    orNone(send(userCalls.models, {}, manner)),
  ])
  const wanted = text.toLowerCase()
  const named = models.filter((name) => name.toLowerCase().includes(wanted))
  return { channels, users, tokens: tokens.slice(0, MAX_FOUND), models: named.slice(0, MAX_FOUND) }
}

/** Every object's own command, each followed by its actions if there are few objects. */
const withActions = <Row,>(rows: readonly Row[], own: (row: Row) => Command, actions: (row: Row) => Command[]) =>
  rows.flatMap((row) => [own(row), ...(rows.length <= MAX_WITH_ACTIONS ? actions(row) : [])])

function useChannelCommands(rows: Found['channels']): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mutate } = useSend(channel.update)
  const report = useSwitchToast()
  const about = t('label.channel')
  return withActions(
    rows,
    ({ id, name }) => ({
      id: `channel:${id}`,
      text: `#${id} ${name}`,
      icon: <FlowBranch />,
      about,
      run: () => void navigate(`/channel/edit/${id}`),
    }),
    ({ id, name, status }) => {
      const isOn = status === channelStatus.enabled
      const turn = (isNowOn: boolean, undo?: () => void) => {
        const next = isNowOn ? channelStatus.enabled : channelStatus.disabled
        mutate({ body: { id, status: next } }, { onSuccess: () => report(name, isNowOn, undo) })
      }
      return [
        {
          id: `channel:${id}:log`,
          text: t('palette.logOf', { name }),
          icon: <History />,
          about,
          run: () => void navigate(logPath({ channel: id })),
        },
        {
          id: `channel:${id}:switch`,
          text: t(isOn ? 'palette.disable' : 'palette.enable', { name }),
          icon: isOn ? <Disable /> : <Tick />,
          about,
          // Undo would disable it by hand, so that it would never be enabled again automatically.
          run: () => turn(!isOn, status === channelStatus.autoDisabled ? undefined : () => turn(isOn)),
        },
      ]
    },
  )
}

function useUserCommands(rows: Found['users']): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const about = t('label.user')
  return withActions(
    rows,
    ({ id, username }) => ({
      id: `user:${id}`,
      text: username,
      icon: <Person />,
      about,
      run: () => void navigate(`/user/edit/${id}`),
    }),
    ({ id, username }) => [
      {
        id: `user:${id}:quota`,
        text: t('palette.addQuota', { name: username }),
        icon: <Plus />,
        about,
        run: () => void navigate(`/user/quota/${id}`),
      },
      {
        id: `user:${id}:log`,
        text: t('palette.logOf', { name: username }),
        icon: <History />,
        about,
        run: () => void navigate(logPath({ user: `=${username}` })),
      },
    ],
  )
}

function useTokenCommands(rows: Found['tokens'], copy: CopyText): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const about = t('label.token')
  return withActions(
    rows,
    ({ id, name }) => ({
      id: `token:${id}`,
      text: name,
      icon: <Key />,
      about,
      run: () => void navigate(`/token?${new URLSearchParams({ name })}`),
    }),
    (row) => [
      {
        id: `token:${row.id}:copy`,
        text: t('palette.copyKey', { name: row.name }),
        icon: <Duplicate />,
        about,
        run: () => copy(keyOf(row), maskedKey(row)),
      },
    ],
  )
}

function useModelCommands(names: readonly string[], isAdmin: boolean): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const about = t('label.model')
  return withActions(
    names,
    (name) => ({
      id: `model:${name}`,
      text: name,
      icon: <Cube />,
      about,
      run: () => void navigate(`/pricing?${new URLSearchParams({ q: name })}`),
    }),
    (name) => [
      {
        id: `model:${name}:log`,
        text: t('palette.logOf', { name }),
        icon: <History />,
        about,
        run: () => void navigate(logPath({ model: `=${name}` })),
      },
      ...(isAdmin
        ? [
            {
              id: `model:${name}:explain`,
              text: t('palette.explain', { name }),
              icon: <Route />,
              about,
              run: () => void navigate(explainPath({ model: name })),
            },
          ]
        : []),
    ],
  )
}

/** A request of any time, if the text looks like an id. */
function useRequestCommand(text: string): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  if (!REQUEST_ID.test(text)) return []
  const run = () => void navigate(logPath({ request: text, open: text }))
  return [{ id: 'request', text: t('palette.request', { id: text }), icon: <History />, run }]
}

const REQUEST_ID = /^[\w-]{16,64}$/

/** Log entries of any time. */
const logPath = (filter: Readonly<Record<string, string | number>>): string =>
  `/log?${new URLSearchParams({ ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])), from: '' })}`
