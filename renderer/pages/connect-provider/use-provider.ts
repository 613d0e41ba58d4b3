import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { channel } from '../../../shared/api/channel.ts'
import { model } from '../../../shared/api/model.ts'
import type { DryRun } from '../../../shared/api/unsaved-channel.ts'
import {
  type ChannelTypeName,
  channelTypeLabel,
  channelTypeNameById,
  channelTypes,
} from '../../../shared/channel-types.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { showSuccess } from '../../components/toasts.ts'
import { currentLocale } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import {
  type Account,
  type AccountProblems,
  channelOf,
  modelsAtFirst,
  noAccount,
  problemsOf,
  tryOutOf,
  withKey,
  withVendor,
} from './account.ts'

export function useProvider() {
  const vendors = useCall(channel.vendors, {})
  const usualOf = useUsualModels()
  const [entered, setAccount] = useState(noAccount)
  const [hasChosen, setChosen] = useState(false)
  const [problems, setProblems] = useState<AccountProblems>({})
  const [result, setResult] = useState<DryRun>()
  const offered = (vendors.data ?? []).flatMap((id) => channelTypeNameById(id) ?? [])
  // A key pasted before the vendors have loaded selects its vendor once they have.
  const account = entered.vendor ? entered : withKey(entered, entered.key, offered)
  const usual = usualOf(account.vendor)
  const { mutate, isPending, reset } = useSend(channel.probe)
  const save = useSave(account, result)

  const enter = (next: Account) => {
    setAccount(next)
    setProblems({})
  }
  /** A test result is only valid for its input; pending tests of earlier input are dropped. */
  const enterOther = (next: Account) => {
    enter(next)
    setResult(undefined)
    if (isPending) reset()
  }
  const test = () => {
    const found = problemsOf(account)
    setProblems(found)
    if (!account.vendor || Object.keys(found).length > 0) return
    const finish = (tried: DryRun) => {
      setResult(tried)
      if (!hasChosen && tried.list.ok) setAccount({ ...account, models: modelsAtFirst(tried, usual) })
    }
    const tested = hasChosen ? account : { ...account, models: [] }
    mutate({ body: tryOutOf(account.vendor, tested) }, { onSuccess: finish })
  }
  return {
    vendors,
    offered,
    account,
    problems,
    result,
    suggestions: [...new Set([...(result?.models ?? []), ...usual])],
    hasChosen,
    isTesting: isPending,
    isSaving: save.isBusy,
    enterKey: (key: string) => enterOther(withKey(account, key, offered)),
    choose(vendor: ChannelTypeName) {
      setChosen(false)
      enterOther(withVendor(account, vendor))
    },
    change: (fields: Partial<Pick<Account, 'address' | 'other'>>) => enterOther({ ...account, ...fields }),
    /** The test result stays valid, whichever models are chosen. */
    chooseModels(models: readonly string[]) {
      setChosen(models.length > 0)
      enter({ ...account, models })
    },
    test,
    save: save.send,
  }
}

export type Provider = ReturnType<typeof useProvider>

/** Creates the channel, whose models can be called immediately, and continues with connecting a client. */
function useSave(account: Account, result: DryRun | undefined): { send: () => void; isBusy: boolean } {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mutate, isPending } = useSend(channel.create)
  const { vendor } = account
  const finish = (name: ChannelTypeName) => () => {
    void queries.invalidateQueries({ queryKey: ['user'] })
    void navigate('/connect/client')
    showSuccess(t('connect.saved', { vendor: vendorLabel(name) }))
  }
  return {
    send: () =>
      vendor && mutate({ body: channelOf(vendor, account, result?.api_format) }, { onSuccess: finish(vendor) }),
    isBusy: isPending,
  }
}

function useUsualModels(): (vendor: ChannelTypeName | undefined) => readonly string[] {
  const { data } = useCall(model.byChannelType, {})
  return (vendor) => (vendor && data?.[channelTypes[vendor].id]) ?? []
}

export const vendorLabel = (vendor: ChannelTypeName): string => channelTypeLabel(channelTypes[vendor], currentLocale())
