import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ImportItem, optionFile } from '../../../../shared/api/option-file.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { type ChosenFile, readSettingsFile } from './settings-file.ts'

export type Import = Readonly<{
  name: string | undefined
  /** The effect on each setting of the file; undefined before the dry run. */
  items: readonly ImportItem[] | undefined
  chosen: ReadonlySet<string>
  choose: (keys: readonly string[], isChosen: boolean) => void
  /** Why nothing can be, or was, imported; localized. */
  problem: string | undefined
  isBusy: boolean
  read: (file: File) => Promise<void>
  /** Imports the selected settings; resolves to whether it succeeded. */
  run: () => Promise<boolean>
}>

type CheckedFile = Readonly<{ file: ChosenFile; items: readonly ImportItem[] }>

/** The steps of an import: a dry run when a file is chosen, and again after a concurrent change of a setting. */
export function useImport(): Import {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [name, setName] = useState<string>()
  const [found, setFound] = useState<CheckedFile>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const dryRun = async (file: ChosenFile) => {
    const { items } = await send(optionFile.import, { body: { file, dry_run: true } }, { quiet: true })
    setFound({ file, items })
    const suggested = items.filter(({ outcome, needs_choice }) => outcome === 'change' && !needs_choice)
    setChosen(new Set(suggested.map(({ key }) => key)))
  }
  const attempt = async (work: () => Promise<boolean>): Promise<boolean> => {
    clearToasts()
    setProblem(undefined)
    setBusy(true)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setProblem(error.message)
      return false
    } finally {
      setBusy(false)
    }
  }
  const read = async (picked: File) => {
    setName(picked.name)
    setFound(undefined)
    await attempt(async () => {
      const file = await readSettingsFile(picked)
      if ('problem' in file) setProblem(t(file.problem))
      else await dryRun(file)
      return true
    })
  }
  const take = async ({ file, items }: CheckedFile): Promise<boolean> => {
    const base = Object.fromEntries(items.filter(({ key }) => chosen.has(key)).map(({ key, before }) => [key, before]))
    try {
      const body = { file, dry_run: false, keys: [...chosen], base }
      const { applied } = await send(optionFile.import, { body }, { quiet: true })
      showSuccess(t('settingsFile.imported', { n: applied }))
      // Settings affect other pages and the layout.
      void queries.invalidateQueries()
      return true
    } catch (error) {
      if (conflictsIn(error).length === 0) throw error
      await dryRun(file)
      setProblem(t('settingsFile.changedSince'))
      return false
    }
  }
  return {
    name,
    items: found?.items,
    chosen,
    choose: (keys, isChosen) =>
      setChosen((before) => new Set([...before, ...keys].filter((key) => isChosen || !keys.includes(key)))),
    problem,
    isBusy,
    read,
    run: async () => found !== undefined && attempt(() => take(found)),
  }
}
