import { percentDecoded } from '../../base/percent.ts'
import { admitCaller } from '../admission/admit.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { modelList, modelsFor, oneModel, type Style } from './model-list.ts'
import { sendJson } from './reply.ts'

/** Answers a list of models, or the one with the id in the path, in the caller's style (spec/relay.md §1.4). */
export function answerModels(deps: AuxiliaryDeps, context: RequestContext, id: string | undefined): void {
  const { caller, suffix } = deps.identify(context)
  admitCaller(deps.relay, caller, context, suffix)
  const models = modelsFor(deps.models, caller)
  const style: Style = context.format === 'responses' ? 'openai' : context.format
  sendJson(context, 200, id ? oneModel(models, percentDecoded(id), style) : modelList(models, style, context.query))
}
