import type { UseQueryResult } from '@tanstack/react-query'
import { type BackupsView, backup } from '../../../../shared/api/backup.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'

const LOOK_AGAIN_MS = 10_000

/** The backups, asked for again as long as somebody looks: the schedule makes some as well. */
export const useBackups = (): UseQueryResult<BackupsView> =>
  usePolled({
    queryKey: [areaOf(backup.list), backup.list.path],
    read: (manner) => send(backup.list, {}, manner),
    everyMs: LOOK_AGAIN_MS,
  })
