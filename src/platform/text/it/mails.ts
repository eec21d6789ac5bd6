import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('it')

export const mails: MailTexts = {
  hello: (name) => `Ciao ${name},`,
  helloNobody: 'Ciao,',
  unnamed: '(senza nome)',
  roles: { owner: 'proprietario', admin: 'amministratore', member: 'membro', viewer: 'lettore' },
  once: 'Il link funziona una sola volta, entro un’ora.',
  notYou: 'Se non hai fatto tu questa richiesta, ignora questa email. Non è cambiato nulla.',
  wasItYou: 'Se non sei stato tu, reimposta subito la password e chiudi tutte le altre sessioni.',
  otherCredentials:
    'Una nuova password non cambia le tue chiavi API, le passkey e gli account collegati. Controllali nelle impostazioni del tuo account e degli spazi di lavoro, ed elimina quelli che non riconosci.',
  verifyEmail: {
    subject: 'Conferma il tuo indirizzo email',
    text: 'Conferma questo indirizzo email per completare la registrazione a Signpost.',
    link: 'Conferma email',
    where: 'Aprilo nel browser con cui ti sei registrato, o tieni pronta la password.',
    notYou: 'Se non ti sei registrato, ignora questa email. Non viene creato alcun account.',
  },
  alreadyRegistered: {
    subject: 'Hai già un account',
    text: 'Questo indirizzo è stato usato per registrarsi a Signpost, ma ha già un account. Accedi, o reimposta la password se l’hai dimenticata.',
    link: 'Accedi',
  },
  resetPassword: {
    subject: 'Scegli una nuova password',
    text: 'È stata richiesta una nuova password per il tuo account.',
    link: 'Scegli una nuova password',
  },
  passwordChanged: {
    subject: 'La tua password è cambiata',
    text: 'La password del tuo account Signpost è appena stata cambiata.',
  },
  approveEmailChange: {
    subject: 'Approva il cambio del tuo indirizzo email',
    text: (newEmail) =>
      `È stato richiesto di cambiare il tuo indirizzo email in ${newEmail}. Il cambio avviene dopo la tua approvazione qui e la conferma del nuovo indirizzo.`,
    link: 'Approva il cambio',
    notYou:
      'Se non hai fatto tu questa richiesta, non approvarla. Cambia subito la password: un estraneo potrebbe avere accesso al tuo account.',
  },
  verifyNewEmail: {
    subject: 'Conferma il tuo nuovo indirizzo email',
    text: (name, email) =>
      `${name} (${email}) vuole usare questo indirizzo email per il proprio account Signpost.`,
    link: 'Conferma email',
    where: 'Aprilo in un browser connesso a quell’account, o tieni pronta la sua password.',
    notYou: 'Se non è il tuo account, ignora questa email. Senza conferma non cambia nulla.',
  },
  emailChanged: {
    subject: 'Il tuo indirizzo email è cambiato',
    text: (newEmail) =>
      `Il tuo account ora usa ${newEmail}. Questa è l’ultima email al vecchio indirizzo.`,
    notYou:
      'Se non sei stato tu, contatta l’operatore di questo server. Con questo indirizzo non è più possibile accedere.',
  },
  invitation: {
    subject: 'Invito a uno spazio di lavoro su Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} ti invita nello spazio di lavoro ${workspace} su Signpost, con il ruolo di ${role}.`,
    link: 'Apri l’invito',
    terms:
      'Solo questo indirizzo può accettare l’invito. Scade tra 14 giorni. Il link conferma che l’indirizzo è tuo, quindi non inoltrare questa email.',
    unknown: 'Se non conosci il mittente, ignora questa email.',
  },
  accountDeleted: {
    subject: 'Il tuo account è stato eliminato',
    text: 'Il tuo account è stato eliminato, insieme a tutti i dati che appartenevano solo a te. Questa è la nostra ultima email.',
  },
  webhookFailing: {
    subject: 'Le consegne dei webhook continuano a fallire',
    subjectPaused: 'Alcuni endpoint webhook sono in pausa perché le consegne falliscono',
    text: (workspace) =>
      `Tutte le consegne a questi endpoint webhook dello spazio di lavoro ${workspace} falliscono:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} all’ultimo tentativo, nessun successo da ${since}.`,
    pausedAt: (time) => `In pausa da ${time}.`,
    status: (status) => `stato ${status}`,
    noAnswer: (error) => `nessuna risposta (${error})`,
    more: (count) => plural(count, { one: 'E # altro.', other: 'E altri #.' }),
    paused:
      'Un endpoint in pausa non riceve nulla. Quando il suo ricevitore funziona, riprendilo nella dashboard: le consegne in attesa vengono inviate, e un replay invia ciò che è successo nel frattempo.',
    kept: 'Le consegne senza altri tentativi vengono conservate. Puoi ripeterle quando il ricevitore risponde con uno stato 2xx.',
    why: 'Ricevi questa email perché un endpoint indica il tuo indirizzo come failureEmail. Ogni endpoint è segnalato una volta fino al prossimo successo.',
    whyPaused:
      'Ricevi questa email perché un endpoint indica il tuo indirizzo come failureEmail, o perché lo spazio di lavoro è tuo. Ogni endpoint è segnalato una volta fino al prossimo successo, e una volta quando va in pausa.',
  },
  reportReady: {
    subject: 'Un report programmato è pronto',
    text: (report, workspace) =>
      `Il report ${report} dello spazio di lavoro ${workspace} è pronto.`,
    link: 'Apri i report',
    terms: 'Per aprirlo devi accedere. Il file viene conservato per 30 giorni.',
    why: 'Ricevi questa email perché sei tra i destinatari di questo report. Un membro dello spazio di lavoro può rimuoverti.',
  },
  alert: {
    subject: 'Un avviso sui tuoi link',
    over: 'Un avviso è terminato',
    wholeWorkspace: 'tutto lo spazio di lavoro',
    high: (target, count, usual) =>
      `${target}: ${count} clic nell’ultima ora intera, quando di solito a quest’ora sono ${usual}.`,
    low: (target, count, usual) =>
      `${target}: solo ${count} clic nell’ultima ora intera, quando di solito a quest’ora sono ${usual}.`,
    failing: (target) => `${target}: la destinazione non risponde, o risponde con un errore.`,
    clicksOver: (target, count) =>
      `${target}: i clic sono di nuovo quelli abituali, ${count} nell’ultima ora intera.`,
    destinationOver: (target) => `${target}: la destinazione risponde di nuovo.`,
    of: (workspace) => `Spazio di lavoro: ${workspace}.`,
    link: 'Apri gli avvisi',
    why: 'Ricevi questa email perché sei tra i destinatari di questo avviso. Un membro dello spazio di lavoro può rimuoverti.',
  },
}
