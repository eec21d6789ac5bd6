import type { RateState } from '../../platform/limits/rate-limits.ts'
import type { Mails } from '../../platform/mail/mails.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { Throttle } from './throttle.ts'

export type SignInDeps = Pick<
  Dependencies,
  | ('systemSql' | 'clock' | 'secrets' | 'plans' | 'signup' | 'requireEmailVerification')
  | ('audit' | 'limit' | 'recordSecurity' | 'saveIdempotentResponse')
> & {
  mails: Pick<
    Mails,
    | ('verifyEmail' | 'alreadyRegistered' | 'resetPassword' | 'passwordChanged')
    | ('approveEmailChange' | 'verifyNewEmail' | 'emailChanged')
  >
  passwords: Pick<Passwords, 'hash' | 'hashFor' | 'verify'>
  throttle: Throttle
  /**
   * Per user from everywhere, since codes are short. A guess counts before it is checked, so that parallel guesses
   * are limited too; a right one is given back.
   */
  factorLimiter: {
    consume(key: string): Promise<RateState>
    giveBack(key: string, taken: RateState): Promise<void>
  }
}
