import { text } from '../text/actions.ts'
import { readAction } from './read-action.ts'

/** What an action of a log is called: "Link created", "Link: erstellt". */
export function sayAction(action: string): string {
  const [subject = '', verb = ''] = action.split('.', 2)
  return text.actionNames.say(subject, verb) ?? readAction(action)
}
