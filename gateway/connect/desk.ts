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
} from '../../shared/connect/desk.ts'
import type { Clock } from '../base/clock.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import { noSystemProxy } from '../base/network/system-proxy.ts'
import { createConnectWriter } from './connect.ts'
import { LeftAlone } from './disk.ts'
import type { Machine } from './place.ts'
import { tryTarget } from './trial.ts'

type ConnectDeskDeps = Readonly<{
  /** The gateway's address on this machine, without a path; never one that was asked for. */
  address: string
  dataFolder: string
  clock: Clock
  machine: Machine
  /** Over which proxy the gateway is reached, where it is another machine's; none unless told otherwise. */
  systemProxy?: SystemProxy
  /** Whether somebody has named the address, rather than the gateway having it; not so unless told otherwise. */
  isGiven?: boolean
}>

/**
 * All that may be asked about the files of programs, by the desktop's window and by the shell. What is asked is checked here: a
 * program of the table, a key, a model; never a path and never an address (docs/reference/connect.md#permissions).
 */
export interface ConnectDesk {
  status(): Readonly<Record<string, ConnectStatus | ConnectProblem>>
  plan(asked: unknown): ConnectPlan | ConnectProblem
  apply(asked: unknown): Promise<ConnectApplied | ConnectProblem>
  undo(asked: unknown): ConnectUndone | ConnectProblem
  /** What would be written to lead a program to this gateway's address; without files it is led there already. */
  planMove(asked: unknown): ConnectPlan | ConnectProblem
  move(asked: unknown): ConnectMoved | ConnectProblem
}

const writable = new Map(connectClients.filter(({ files }) => files).map((client) => [client.id, client]))

/** What a program might take for a variable, a command or the end of a text in its own file. */
const UNSAFE = /[\p{Cc}"'`$\\]/u
const word = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !UNSAFE.test(text) && text.trim() === text)
const named = z.object({ client: z.string().refine((id) => writable.has(id)) })
const wanted = named.extend({ key: word(300).refine((key) => !/\s/.test(key)), model: word(200) })
const seal = z.string().regex(/^[0-9a-f]{64}$/)
const sealed = wanted.extend({ seal })
const sealedMove = named.extend({ seal })

/** The desk of one gateway, for the person of `machine`. */
export function createConnectDesk(deps: ConnectDeskDeps): ConnectDesk {
  const { address, dataFolder, clock, machine, systemProxy = noSystemProxy, isGiven = false } = deps
  const connector = createConnectWriter({ machine, dataFolder })
  const targetOf = ({ key, model }: z.output<typeof wanted>): ConnectTarget => ({ address, key, model })
  return {
    status: () =>
      Object.fromEntries([...writable].map(([id, client]) => [id, answered(() => connector.status(client, address))])),
    plan: (asked) => answered(() => checked(wanted, asked, (ask, client) => connector.plan(client, targetOf(ask)))),
    async apply(asked) {
      const written = answered(() =>
        checked(sealed, asked, (ask, client) => {
          const target = targetOf(ask)
          return { plan: connector.apply(client, target, ask.seal, isGiven), client, target }
        }),
      )
      if ('problem' in written) return written
      if (written.plan) return { done: false, plan: written.plan }
      return { done: true, trial: await tryTarget(written.client.dialect, written.target, { clock, systemProxy }) }
    },
    undo: (asked) => answered(() => checked(named, asked, (_, client) => connector.undo(client))),
    planMove: (asked) => answered(() => checked(named, asked, (_, client) => connector.planMove(client, address))),
    move: (asked) =>
      answered(() =>
        checked(sealedMove, asked, ({ seal }, client) => {
          const plan = connector.move(client, address, seal, isGiven)
          return plan ? { done: false, plan } : { done: true }
        }),
      ),
  }
}

function checked<Ask extends { client: string }, T>(
  shape: z.ZodType<Ask>,
  asked: unknown,
  work: (ask: Ask, client: ConnectClient) => T,
): T {
  const { data, error } = shape.safeParse(asked)
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
