import { z } from 'zod'
import type { ConnectClient, ConnectTarget } from '../../shared/connect/client.ts'
import { connectClients } from '../../shared/connect/clients.ts'
import type {
  ConnectApplied,
  ConnectMoved,
  ConnectPlan,
  ConnectProblem,
  ConnectStatus,
  ConnectUndone,
} from '../../shared/connect/connect-protocol.ts'
import type { Clock } from '../base/clock.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import { noSystemProxy } from '../base/network/system-proxy.ts'
import type { Machine } from './config-location.ts'
import { createConnectWriter } from './connect.ts'
import { LeftAlone } from './disk.ts'
import { tryTarget } from './trial.ts'

type ConnectServiceDeps = Readonly<{
  /** The gateway's address, without a path; never taken from a request. */
  address: string
  dataFolder: string
  clock: Clock
  machine: Machine
  /** The proxy for a gateway on another machine; none by default. */
  systemProxy?: SystemProxy
  /** Whether a user has named the address; false by default. */
  isGiven?: boolean
}>

/**
 * All operations on the files of programs that the desktop's window and the shell may request. Inputs are validated
 * here: a program of the table, a key, a model; never a path or an address (docs/reference/connect.md#permissions).
 */
export interface ConnectService {
  status(): Readonly<Record<string, ConnectStatus | ConnectProblem>>
  plan(input: unknown): ConnectPlan | ConnectProblem
  apply(input: unknown): Promise<ConnectApplied | ConnectProblem>
  undo(input: unknown): ConnectUndone | ConnectProblem
  /** The changes that move a program to this gateway's address; no files if it uses that address already. */
  planMove(input: unknown): ConnectPlan | ConnectProblem
  move(input: unknown): ConnectMoved | ConnectProblem
}

const writable = new Map(connectClients.filter(({ files }) => files).map((client) => [client.id, client]))

/** Characters that a program might take for a variable, a command or the end of a string in its file. */
const UNSAFE = /[\p{Cc}"'`$\\]/u
const word = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !UNSAFE.test(text) && text.trim() === text)
const named = z.object({ client: z.string().refine((id) => writable.has(id)) })
const setUpInput = named.extend({ key: word(300).refine((key) => !/\s/.test(key)), model: word(200) })
const seal = z.string().regex(/^[0-9a-f]{64}$/)
const sealed = setUpInput.extend({ seal })
const sealedMove = named.extend({ seal })

export function createConnectService(deps: ConnectServiceDeps): ConnectService {
  const { address, dataFolder, clock, machine, systemProxy = noSystemProxy, isGiven = false } = deps
  const connector = createConnectWriter({ machine, dataFolder })
  const targetOf = ({ key, model }: z.output<typeof setUpInput>): ConnectTarget => ({ address, key, model })
  return {
    status: () =>
      Object.fromEntries([...writable].map(([id, client]) => [id, answered(() => connector.status(client, address))])),
    plan: (input) =>
      answered(() => checked(setUpInput, input, (request, client) => connector.plan(client, targetOf(request)))),
    async apply(input) {
      const written = answered(() =>
        checked(sealed, input, (request, client) => {
          const target = targetOf(request)
          return { plan: connector.apply(client, target, request.seal, isGiven), client, target }
        }),
      )
      if ('problem' in written) return written
      if (written.plan) return { done: false, plan: written.plan }
      return { done: true, trial: await tryTarget(written.client.dialect, written.target, { clock, systemProxy }) }
    },
    undo: (input) => answered(() => checked(named, input, (_, client) => connector.undo(client))),
    planMove: (input) => answered(() => checked(named, input, (_, client) => connector.planMove(client, address))),
    move: (input) =>
      answered(() =>
        checked(sealedMove, input, ({ seal }, client) => {
          const plan = connector.move(client, address, seal, isGiven)
          return plan ? { done: false, plan } : { done: true }
        }),
      ),
  }
}

function checked<TrialRequest extends { client: string }, T>(
  shape: z.ZodType<TrialRequest>,
  input: unknown,
  work: (trialRequest: TrialRequest, client: ConnectClient) => T,
): T {
  const { data, error } = shape.safeParse(input)
  const client = data && writable.get(data.client)
  if (!client) throw new LeftAlone('input', '', String(error?.issues[0]?.path[0] ?? 'client'))
  return work(data, client)
}

function answered<T extends object>(work: () => T): T | ConnectProblem {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LeftAlone)) throw error
    return { problem: error.problem, path: error.path, detail: error.detail }
  }
}
