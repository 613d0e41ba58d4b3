import type { DeepTestResult } from '../../../shared/api/channel-runs.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { findChannel } from '../registry/write-channels.ts'
import { furtherVerdicts, verdictFrom } from './run-probe.ts'
import { type TestCallDeps, type TestInitiator, testCall, testedModel } from './test-call.ts'
import { plainRequest } from './test-request.ts'

/** Tests one model of a channel, in any status: a plain call, a stream and a tool call. */
export type DeepTest = (id: number, model: string, tester: TestInitiator) => Promise<DeepTestResult>

const TIMEOUT_MS = 30_000

/** Each call is limited to 30 seconds, and free of charge. The plain call counts as a test of the channel. */
export const createDeepTest =
  (deps: TestCallDeps & Readonly<{ registry: ChannelRegistry }>): DeepTest =>
  async (id, requested, tester) => {
    const channel = await findChannel(deps, id)
    const { model, upstream, kind } = testedModel(channel, requested)
    const base = { model, upstream_model: upstream, kind }
    if (kind === 'none') return { ...base, plain: null, stream: null, tool: null }
    const probeCall = { ...plainRequest(kind, upstream), requestedModel: model, timeoutMs: TIMEOUT_MS }
    const { locale } = tester
    const plain = verdictFrom(await testCall(deps, channel, { model, probeCall }, tester), channel, locale)
    return { ...base, ...(await furtherVerdicts(deps.probe, channel, { probeCall, plain, locale })) }
  }
