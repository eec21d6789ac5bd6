import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { lowerThreadPriority } from '../../base/thread-priority.ts'

lowerThreadPriority()

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

parentPort!.on('message', (password: string) => {
  parentPort!.postMessage(estimator.check(password).guesses)
})
