import type { Logger } from '../base/log/logger.ts'
import type { Notice } from '../notify/notice.ts'
import type { RootEvents } from '../notify/root-events.ts'
import type { NodeAlarm, Nodes } from './nodes.ts'

const CHECK_MS = 5000

type NodeAlarmsDeps = Readonly<{ nodes: Nodes; rootEvents: Pick<RootEvents, 'report'>; log: Logger }>

/**
 * Notifies root once when a node has been silent for long, or cannot write its charges (docs/growth.md#nodes). Each
 * node checks regularly, and the database gives each alarm to only one node. Returns a function that ends the checks;
 * does nothing on SQLite.
 */
export function watchNodes({ nodes, rootEvents, log }: NodeAlarmsDeps): () => void {
  if (nodes.own === '') return () => {}
  const check = async () => {
    for (const alarm of await nodes.alarms()) {
      const notice = noticeOf(alarm)
      log.error('a node needs attention', { ...alarm })
      await rootEvents.report({ messages: notice.body.map((key) => ({ key, params: notice.params })), notice })
    }
  }
  // Without the database this fails; every node already reports the outage.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function noticeOf({ node, state, seconds, uncommitted }: NodeAlarm): Notice {
  const params = { node, seconds, n: uncommitted }
  const values = [node, String(seconds), String(uncommitted)]
  const type = `node_${state}_${node}`
  return state === 'silent'
    ? { type, subject: 'node.event_silent_subject', body: ['node.event_silent'], params, values }
    : { type, subject: 'node.event_late_subject', body: ['node.event_late'], params, values }
}
