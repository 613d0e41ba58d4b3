import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import * as z from 'zod/mini'
import { type Status, status } from '../../shared/api/status.ts'
import { send } from './client.ts'
import { enterFromDesktop, isDesktop } from './desktop.ts'
import { readStored, type StoredKey, writeStored } from './stored.ts'
import { storedStatus } from './stored-views.ts'

export const StatusContext = createContext<Status | undefined>(undefined)

/** The public status: name, version, modes, money (docs/reference/api.md#status). Throws outside of the shell. */
export function useStatus(): Status {
  const known = useContext(StatusContext)
  if (!known) throw new Error('the status is read outside the shell')
  return known
}

/** Whether registration is offered; never in self-use mode. */
export const canRegister = ({ register_enabled: isOpen, self_use_mode_enabled: isOwn }: Status): boolean =>
  isOpen && !isOwn

/**
 * Reads the status on each start; until it arrives, the cached status of a system that is set up is shown. The desktop
 * window waits for it instead, so that the owner is signed in before any page needs the user.
 */
export const useStatusQuery = (): UseQueryResult<Status> =>
  useQuery({
    queryKey: ['status'],
    queryFn: async ({ signal }) => {
      await enterFromDesktop()
      return remember(await send(status.read, {}, { quiet: true, signal }))
    },
    placeholderData: () => (isDesktop() ? undefined : cachedStatus()),
  })

/**
 * Applies status changes while the console is open, so that an operator's changes show without a reload. Only if the
 * system is set up in both the old and the new status: the setup wizard handles its own end.
 */
export function followStatus(queries: QueryClient, answer: unknown): void {
  const fresh = z.safeParse(z.object({ data: storedStatus }), answer).data?.data
  const known = queries.getQueryData<Status>(['status'])
  if (!fresh?.setup || !known?.setup || JSON.stringify(fresh) === JSON.stringify(known)) return
  queries.setQueryData(['status'], remember(fresh))
}

/**
 * Returns the cached status of a system that is set up; no other, so that an outdated status never leads back into the
 * wizard.
 */
function cachedStatus(): Status | undefined {
  const cached = readStored('status', storedStatus)
  return cached?.setup ? cached : undefined
}

/**
 * Fields with their own storage key in addition to `status` (docs/reference/screens.md#local-storage); empty links
 * are removed.
 */
const copied = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'mj_notify_enabled',
  'chats',
  'pay_methods',
  'docs_link',
  'chat_link',
  'chat_link2',
] as const satisfies StoredKey[]

function remember(fresh: Status): Status {
  writeStored('status', fresh)
  for (const key of copied)
    writeStored(key, key.endsWith('_link') || key === 'chat_link2' ? fresh[key] || undefined : fresh[key])
  return fresh
}
