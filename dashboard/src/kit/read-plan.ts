import { text } from '../text/shared.ts'

/**
 * A plan in the language of the page, by its id or name.
 * Names of an operator, and those that are the same in every language, stay as they are.
 */
export function readPlan(plan: string): string {
  const id = plan.toLowerCase().replace(/\W/g, '_')
  return id === 'self_hosted' || id === 'free' ? text.names.plans[id] : plan
}
