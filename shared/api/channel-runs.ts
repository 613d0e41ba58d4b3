import { z } from 'zod'
import { call } from './call.ts'
import { idParams, text } from './fields.ts'
import { verdict } from './verdict.ts'

/** The call a model is tested with (docs/reference/channels.md#tests). `none`: no short request can test it. */
const testKinds = ['chat', 'completions', 'responses', 'embeddings', 'rerank', 'images', 'none'] as const
export type TestKind = (typeof testKinds)[number]

const examination = z
  .object({
    model: z.string(),
    upstream_model: z.string().describe("The upstream's name of the model."),
    kind: z.enum(testKinds),
    plain: verdict.nullable().describe('Null if models of this kind have no such call.'),
    stream: verdict.nullable(),
    tool: verdict.nullable(),
  })
  .meta({ id: 'DeepTestResult' })
export type DeepTestResult = z.infer<typeof examination>

/** One channel's outcome in a run over many. */
const runItem = z.object({
  channel_id: z.int(),
  name: z.string(),
  ok: z.boolean(),
  message: z.string().describe('The error; empty if there was none.'),
  seconds: z.number().describe('Duration of a test in seconds; 0 for a balance.'),
  balance: z.number().nullable().describe('US dollars; null for a test.'),
  switched: z.enum(['', 'off', 'on']).describe('Whether the run disabled or enabled the channel.'),
})
export type RunItem = z.infer<typeof runItem>

const run = z
  .object({
    kind: z.enum(['test', 'balance']),
    state: z.enum(['running', 'cancelling', 'done', 'cancelled', 'failed']),
    total: z.int(),
    started_at: z.int().describe('Unix seconds; 0 while it is running.'),
    ended_at: z.int(),
    items: z.array(runItem).describe('Finished channels, in the order in which they ended.'),
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof run>

/**
 * The result of calling an upstream through a proxy. `ok`: the upstream responded in any way. `not_a_proxy`: there is
 * no proxy of this kind; `proxy_refused`: it rejects this user or call; `upstream_unreachable`: the proxy works and
 * the upstream does not respond.
 */
const proxyCodes = [
  'ok',
  'not_a_proxy',
  'proxy_refused',
  'proxy_unreachable',
  'upstream_unreachable',
  'timeout',
] as const
const proxyVerdict = verdict.extend({ code: z.enum(proxyCodes) })
export type ProxyVerdict = z.infer<typeof proxyVerdict>
export type ProxyCode = ProxyVerdict['code']

/** Further tests and balance calls, and the progress of runs over all channels. */
export const channelRuns = {
  deepTest: call({
    method: 'POST',
    path: '/api/channel/deep_test/:id',
    summary:
      'Tests a channel with a plain request, a stream and a tool call, as far as the model supports them; free of charge.',
    access: 'admin',
    params: idParams,
    body: z.object({
      model: text(255)
        .default('')
        .describe("Empty selects the channel's test model, else the first of its models that can be tested."),
    }),
    answer: examination,
  }),
  runs: call({
    method: 'GET',
    path: '/api/channel/runs',
    summary: 'Lists the last run of each kind since the gateway started, newest first.',
    access: 'admin',
    answer: z.array(run),
  }),
  cancelRun: call({
    method: 'DELETE',
    path: '/api/channel/runs/:kind',
    summary: 'Cancels a run: no further calls are started, and running tests are aborted.',
    access: 'admin',
    params: z.object({ kind: z.enum(['test', 'balance']) }),
    answer: z.null(),
  }),
  verifyProxy: call({
    method: 'POST',
    path: '/api/channel/proxy',
    summary: 'Checks whether an address can be reached through an outbound proxy.',
    access: 'admin',
    body: z.object({
      proxy: text(2000),
      type: z.int().min(0).max(10_000),
      base_url: text(2000).default(''),
      id: z
        .int()
        .positive()
        .optional()
        .describe("The channel whose stored password replaces a masked one in the proxy's URL."),
    }),
    answer: proxyVerdict,
  }),
}
