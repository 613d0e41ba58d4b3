import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type ImportChoices, type ImportState, imports, usualChoices } from '../../../shared/api/import.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { send } from '../../api/client.ts'
import { sendFile } from '../../api/send-file.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { clearToasts, showFailure } from '../../components/toasts.ts'

const pollMs = 700
const inProgress: readonly ImportState['stage'][] = ['checking', 'writing', 'history']
const queryKey = [areaOf(imports.state), imports.state.path]

type Upload = Readonly<{ name: string; share: number }>

export function useImport() {
  const queries = useQueryClient()
  const state = usePolled({
    queryKey,
    read: (manner) => send(imports.state, {}, manner),
    everyMs: (data) => (data && inProgress.includes(data.stage) ? pollMs : false),
  })
  const [upload, setUpload] = useState<Upload>()
  const [isBusy, setBusy] = useState(false)
  const [chosen, setChosen] = useState<Partial<ImportChoices>>({})
  /** The secrets that the report is based on; the report itself states all other choices. */
  const [checkedWith, setCheckedWith] = useState(usualChoices.secrets)
  const checked = state.data?.report?.choices
  const goneBy: ImportChoices = { ...usualChoices, ...checked, secrets: checkedWith }
  const choices: ImportChoices = { ...usualChoices, ...checked, ...chosen }
  const [isWaitedFor, setWaitedFor] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])
  const attempt = async (work: () => Promise<unknown>) => {
    clearToasts()
    setBusy(true)
    setWaitedFor(true)
    try {
      await work()
      await queries.invalidateQueries({ queryKey })
    } finally {
      setBusy(false)
    }
  }
  const run = async (work: () => Promise<unknown>) => {
    try {
      await attempt(work)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
    }
  }
  const check = (choices: ImportChoices) =>
    run(async () => {
      await send(imports.check, { body: choices })
      setCheckedWith(choices.secrets)
    })
  useFreshConsole(state.data?.stage, () => void queries.invalidateQueries())
  return {
    state,
    upload,
    isBusy,
    /** The work was started here, rather than found running. */
    isWaitedFor,
    choices,
    choose: (change: Partial<ImportChoices>) => setChosen((before) => ({ ...before, ...change })),
    isStale: checked !== undefined && JSON.stringify(choices) !== JSON.stringify(goneBy),
    check: () => check(choices),
    async take(file: File) {
      const own = new AbortController()
      ending.current = own
      setUpload({ name: file.name, share: 0 })
      try {
        await attempt(async () => {
          const onProgress = (share: number) => setUpload({ name: file.name, share })
          await sendFile(imports.upload, { query: { name: file.name }, file }, { onProgress, signal: own.signal })
        })
        setUpload(undefined)
        await check(choices)
      } catch (error) {
        if (error instanceof CallFailure) showFailure(error)
        else if (!own.signal.aborted) throw error
      } finally {
        setUpload(undefined)
      }
    },
    stopUpload: () => ending.current?.abort(),
    confirm: (report: string) => run(() => send(imports.confirm, { body: { report } })),
    cancel: () => run(() => send(imports.cancel, {})),
  }
}

export type ImportWork = ReturnType<typeof useImport>

/**
 * Focuses a result of work that was started here, because the pressed button is gone by then; again when `subject`
 * changes.
 */
export function useResultFocus<Target extends HTMLElement>(
  { isWaitedFor }: ImportWork,
  subject?: string,
): RefObject<Target | null> {
  const box = useRef<Target>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each subject again
  useEffect(() => {
    if (isWaitedFor) box.current?.focus()
  }, [isWaitedFor, subject])
  return box
}

/** Imported data affects every page, so everything is reloaded afterwards. */
function useFreshConsole(stage: ImportState['stage'] | undefined, refresh: () => void): void {
  const before = useRef(stage)
  useEffect(() => {
    const isOver = stage === 'done' && before.current !== undefined && before.current !== 'done'
    before.current = stage
    if (isOver) refresh()
  })
}
