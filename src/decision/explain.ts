import { BY_STATUS } from './answers.ts'
import { decide } from './decide.ts'
import type { Decision, LinkFacts, Request, StepName } from './link.ts'
import { toEdgeLink } from './prepare.ts'

export type ExplainedStep = {
  readonly step: 'status' | StepName | 'destination'
  readonly result: 'answer' | 'continue'
  readonly detail: string
}

/** The answer of the edge, and the steps that lead to it. */
export function explain(
  facts: LinkFacts,
  request: Request,
  nowMs: number,
): { decision: Decision; steps: ExplainedStep[] } {
  // With options, an expiry is an ordinary step; nothing is recorded.
  const link = toEdgeLink({ ...facts, options: facts.options ?? {} }, () => '')
  const decision = decide(link, request, nowMs)
  const status = `the link is ${facts.status}`
  if (BY_STATUS[facts.status] !== null)
    return { decision, steps: [{ step: 'status', result: 'answer', detail: status }] }
  const steps: ExplainedStep[] = [{ step: 'status', result: 'continue', detail: status }]
  for (const step of link.options?.steps ?? []) {
    const isLast = step.decide(request, nowMs) !== null
    const detail = step.describe(request, nowMs)
    steps.push({ step: step.name, result: isLast ? 'answer' : 'continue', detail })
    if (isLast) return { decision, steps }
  }
  steps.push({ step: 'destination', result: 'answer', detail: 'the destination of the link' })
  return { decision, steps }
}
