import { answerFiles } from '../../platform/work/file-process-child.ts'
import { lowerThreadPriority } from '../../platform/work/thread-priority.ts'
import { readDrafts } from './read-drafts.ts'

/** A process that reads files of imports (`files.ts`). */

/** A quarter of the processor time of a busy server: enough for the largest file within its deadline. */
const NICENESS = 5

lowerThreadPriority(NICENESS)
answerFiles(readDrafts)
