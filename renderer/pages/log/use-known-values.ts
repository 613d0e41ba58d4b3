import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channel } from '../../../shared/api/channel.ts'
import { model } from '../../../shared/api/model.ts'
import { token } from '../../../shared/api/token.ts'
import { user } from '../../../shared/api/user.ts'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { send } from '../../api/client.ts'

/** A suggested value, with a label if it is not descriptive. */
export type Known = Readonly<{ value: string; label?: string }>

/** Suggestions for the filters; at most a hundred of each. */
export type KnownValues = Readonly<{
  tokens: readonly Known[]
  models: readonly Known[]
  groups: readonly Known[]
  /** By id; empty for users other than administrators. */
  channels: readonly Known[]
}>

/** Loads suggestions once they are needed; errors are ignored. */
export function useKnownValues(isWanted: boolean, isAdmin: boolean): KnownValues {
  const { data = nothing } = useQuery({
    queryKey: ['log', 'known-values', isAdmin],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const quietly = { quiet: true, signal }
      const [tokens, models, groups, channels] = await Promise.all([
        send(token.list, { query: { p: 0, size: max } }, quietly),
        isAdmin ? send(channel.enabledModels, {}, quietly) : send(user.models, {}, quietly),
        isAdmin ? send(model.groups, {}, quietly) : send(user.ownGroups, {}, quietly).then(Object.keys),
        isAdmin ? send(channel.list, { query: allChannels }, quietly) : [],
      ])
      return {
        tokens: known(tokens.map(({ name }) => name)),
        models: known(models),
        groups: known(groups),
        channels: channels.map(({ id, name }) => ({ value: String(id), label: name })),
      }
    },
  })
  return data
}

/** Usernames of the accounts that match the input, debounced; errors are ignored. */
export function useKnownUsers(isWanted: boolean, typed: string): readonly Known[] {
  const keyword = useSettled(typed.trim().replace(/^=/, ''))
  const { data = none } = useQuery({
    queryKey: ['log', 'known-users', keyword],
    enabled: isWanted,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { keyword, group: '', role: '', status: '', p: 1, page_size: fewer } as const
      const { items } = await send(userAdmin.search, { query }, { quiet: true, signal })
      return known(items.map(({ username }) => username))
    },
  })
  return data
}

/** Debounces a value. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const SETTLED_MS = 300
const STALE_MS = 60_000
const fewer = 20
const none: readonly Known[] = []

const max = 100
const allChannels = { p: 0, page_size: max, id_sort: true, tag_mode: false, type: -1, status: 0 }
const nothing: KnownValues = { tokens: [], models: [], groups: [], channels: [] }

/** The first hundred distinct names in alphabetical order. */
const known = (names: readonly string[]): readonly Known[] =>
  [...new Set(names)]
    .sort((one, other) => one.localeCompare(other))
    .slice(0, max)
    .map((value) => ({ value }))
