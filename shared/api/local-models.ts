import { z } from 'zod'
import { localProgramNames } from '../local-programs.ts'
import { call } from './call.ts'
import { text } from './fields.ts'

const target = z.object({
  address: text(300).describe('`host:port` on this machine or in a private network.'),
  key: text(1000).default('').describe('The key, if the program requires one.'),
})
export type LocalTarget = z.output<typeof target>

const program = z.enum(['', ...localProgramNames]).describe('Empty if unknown.')
const states = ['found', 'needs_key', 'offline', 'silent', 'other'] as const

const finding = z
  .object({
    address: z.string(),
    state: z
      .enum(states)
      .describe(
        '`offline`: nothing listens at the address; `silent`: no response within a second; `other`: another program responded.',
      ),
    status: z.int().describe("The HTTP status of another program's response; 0 if there was none."),
    program,
    models: z.array(
      z.object({
        name: z.string(),
        bytes: z.int().describe('0 if the program does not report it.'),
        is_elsewhere: z.boolean().describe('Another channel has a model of this name.'),
      }),
    ),
    left: z.int().describe('Models whose names are not possible in a channel.'),
    channel_id: z.int().describe('The channel that already uses this address; 0 for none.'),
    channel_name: z.string(),
  })
  .meta({ id: 'LocalFinding' })
export type LocalFinding = z.infer<typeof finding>

const localChannel = z
  .object({
    channel_id: z.int(),
    name: z.string(),
    program,
    address: z.string(),
    takes: z.boolean().describe('Its models are updated automatically from the program.'),
    state: z.enum(['', ...states]).describe('Empty until the program has been queried.'),
    checked_at: z.int().describe('Unix seconds; 0 until then.'),
    models: z.int().describe('Number of models of the channel.'),
    fresh: z.array(z.string()).describe('Models that the program has, but not the channel.'),
    missing: z.array(z.string()).describe('Models that the channel has, but not the program.'),
  })
  .meta({ id: 'LocalChannel' })
export type LocalChannel = z.infer<typeof localChannel>

const one = z.object({ channel_id: z.int().positive() })

/** Local model programs on this machine or in its network (docs/reference/local-models.md). */
export const localModels = {
  list: call({
    method: 'GET',
    path: '/api/local-models',
    summary: 'Lists the channels of local programs, with the models added and removed there. Sends no requests.',
    access: 'root',
    answer: z.array(localChannel),
  }),
  probe: call({
    method: 'POST',
    path: '/api/local-models/probe',
    summary:
      'Looks for programs with models: at the addresses given, or on this machine at the ports of five programs.',
    access: 'root',
    body: z.object({ targets: z.array(target).max(16).default([]) }),
    answer: z.array(finding),
  }),
  add: call({
    method: 'POST',
    path: '/api/local-models/add',
    summary: 'Adds a channel with all models of the program at an address. These models are free.',
    access: 'root',
    body: target.extend({ takes: z.boolean().default(false) }),
    answer: z.object({ channel_id: z.int(), models: z.array(z.string()) }),
  }),
  update: call({
    method: 'POST',
    path: '/api/local-models/update',
    summary: 'Sets the models of a channel to those that its program has now.',
    access: 'root',
    body: one,
    answer: localChannel,
  }),
  follow: call({
    method: 'PUT',
    path: '/api/local-models',
    summary: 'Sets whether the models of a channel are updated automatically from its program.',
    access: 'root',
    body: one.extend({ takes: z.boolean() }),
    answer: localChannel,
  }),
}
