import { Button, Menu, MenuDivider, MenuItem, type MenuItemProps } from '@blueprintjs/core'
import { ChevronDown, Dollar, Pulse, Trash, Wrench } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channel as calls } from '../../../../shared/api/channel.ts'
import type { Consistency } from '../../../../shared/api/channel-consistency.ts'
import type { Run } from '../../../../shared/api/channel-runs.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { sendWhole } from '../../../api/client.ts'
import { areaOf, useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { Popover } from '../../../components/popover/popover.tsx'
import { sentences } from '../../../components/sentences.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { type Translate, useTranslation } from '../../../translation.ts'
import { isGoing } from '../runs/run-facts.ts'
import { useRuns } from '../runs/use-runs.ts'

type Action = 'testAll' | 'balances' | 'fix' | 'removeDisabled'

/** Actions on all channels: each asks first and explains its effect (docs/reference/screens.md#channels). */
export function BatchMenu() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Action>()
  const content = (
    <Menu aria-label={t('channel.batch')}>
      <RunItem kind="test" icon={<Pulse />} text={t('channel.verb.testAll')} onClick={() => setOpened('testAll')} />
      <RunItem
        kind="balance"
        icon={<Dollar />}
        text={t('channel.verb.balances')}
        onClick={() => setOpened('balances')}
      />
      <MenuItem icon={<Wrench />} text={t('channel.verb.fix')} onClick={() => setOpened('fix')} />
      <MenuDivider />
      <MenuItem
        icon={<Trash />}
        intent="danger"
        text={t('channel.verb.removeDisabled')}
        onClick={() => setOpened('removeDisabled')}
      />
    </Menu>
  )
  return (
    <>
      <Popover isMenu content={content}>
        <Button text={t('channel.batch')} endIcon={<ChevronDown />} />
      </Popover>
      {opened && <Question action={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

type RunItemProps = Pick<MenuItemProps, 'icon' | 'text' | 'onClick'> & Readonly<{ kind: Run['kind'] }>

/**
 * Starts a run from a menu; shows the progress instead while one of its kind is active, because there can be only
 * one.
 */
function RunItem({ kind, ...item }: RunItemProps) {
  const { t } = useTranslation()
  const { data = [] } = useRuns()
  const run = data.find((one) => one.kind === kind && isGoing(one))
  if (!run) return <MenuItem {...item} />
  return <MenuItem {...item} disabled label={t('run.busy', { n: run.items.length, total: run.total })} />
}

function Question({ action, onClose }: { action: Action; onClose: () => void }) {
  const { t } = useTranslation()
  const disabled = useDisabledCount(action === 'removeDisabled')
  const { send, isBusy } = useAction(action)
  return (
    <Confirm
      isOpen
      question={t(`channel.ask.${action}`, { n: disabled ?? '…' })}
      verb={t(`channel.verb.${action}`)}
      isHarmless={action !== 'removeDisabled'}
      isBusy={isBusy}
      onConfirm={() => send(onClose)}
      onCancel={onClose}
    >
      {t(`channel.hint.${action}`)}
    </Confirm>
  )
}

/** Number of channels to be deleted; undefined until known. */
function useDisabledCount(isEnabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [areaOf(calls.list), 'disabled-count'],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const count = async (status: number) => {
        const query = { p: 0, page_size: 1, id_sort: false, tag_mode: false, type: -1, status }
        const { extras } = await sendWhole(calls.list, { query }, { signal })
        return extras.total
      }
      const [byHand, bySystem] = await Promise.all([count(channelStatus.disabled), count(channelStatus.autoDisabled)])
      return byHand + bySystem
    },
  })
  return data
}

/** Runs an action and reports it. Tests and balance updates continue in the gateway after the response. */
function useAction(action: Action): { send: (onSettled: () => void) => void; isBusy: boolean } {
  const { t } = useTranslation()
  const testAll = useSend(calls.testAll)
  const balances = useSend(calls.balances)
  const fix = useFix()
  const removeDisabled = useSend(calls.removeDisabled)
  const sends = { testAll, balances, removeDisabled }
  if (action === 'fix') return { isBusy: fix.isPending, send: (onSettled) => fix.mutate(undefined, { onSettled }) }
  const onSuccess = (n: number | null) => showSuccess(t(`channel.done.${action}`, { n: n ?? 0 }))
  return {
    isBusy: sends[action].isPending,
    send: (onSettled) => sends[action].mutate({}, { onSuccess, onSettled }),
  }
}

function useFix() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => sendWhole(calls.fix, {}),
    onMutate: clearToasts,
    onSuccess: ({ data, extras }) => {
      void queries.invalidateQueries({ queryKey: [areaOf(calls.fix)] })
      showSuccess(repairText(t, data, extras))
    },
  })
}

/** Describes the result of a consistency check: what was repaired, and what needs manual work. */
function repairText(t: Translate, channels: number, found: Consistency): string {
  const parts = kinds.filter((kind) => found[kind] > 0).map((kind) => t(`channel.mended.${kind}`, { n: found[kind] }))
  const checked = t('channel.checked', { n: channels })
  const mended =
    parts.length > 0
      ? t('channel.mended.all', { parts: parts.join(t('channel.mended.between')) })
      : t('channel.mended.nothing')
  const left = found.unreadable > 0 ? [t('channel.unreadable', { n: found.unreadable })] : []
  return sentences(checked, mended, ...left)
}

const kinds = ['rerouted', 'keys', 'seen', 'tokens'] as const
