import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { lowerThreadPriority } from '../../platform/work/priority.ts'

lowerThreadPriority()

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

export const run = (password: string): number => estimator.check(password).guesses
