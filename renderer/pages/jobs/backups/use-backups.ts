import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type BackupsView, backup } from '../../../../shared/api/backup.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'

const LOOK_AGAIN_MS = 10_000

/** The backups, asked for again as long as somebody looks: the schedule makes some as well. */
export const useBackups = (): UseQueryResult<BackupsView> =>
  useQuery({
    queryKey: [areaOf(backup.list), backup.list.path],
    queryFn: ({ signal }) => send(backup.list, {}, { quiet: true, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  })
