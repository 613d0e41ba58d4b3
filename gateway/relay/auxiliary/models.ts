import { percentDecoded } from '../../base/percent.ts'
import { admitCaller } from '../admission/admit.ts'
import type { Arrival } from '../model/request-context.ts'
import { modelList, modelsFor, oneModel, type Style } from './model-list.ts'
import { sendJson } from './reply.ts'
import type { SideDeps } from './auxiliary-deps.ts'

/** Answers a list of models, or the one with the id in the path, in the caller's style (spec/relay.md §1.4). */
export function answerModels(deps: SideDeps, arrival: Arrival, id: string | undefined): void {
  const { caller, suffix } = deps.identify(arrival)
  admitCaller(deps.relay, caller, arrival, suffix)
  const models = modelsFor(deps.models, caller)
  const style: Style = arrival.format === 'responses' ? 'openai' : arrival.format
  sendJson(arrival, 200, id ? oneModel(models, percentDecoded(id), style) : modelList(models, style, arrival.query))
}
