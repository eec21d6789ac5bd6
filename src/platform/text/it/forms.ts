import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Password',
  signIn: 'Accedi',
  openDashboard: 'Apri la dashboard',
  gone: {
    title: 'Questo link non funziona più',
    text: 'Il link è scaduto, è già stato usato o è stato sostituito da uno più recente. Richiedine uno nuovo.',
  },
  verify: {
    title: 'Conferma la tua email',
    here: (email) => `Ti sei registrato con ${email} in questo browser.`,
    elsewhere: (email) =>
      `Inserisci la password scelta durante la registrazione con ${email}. Se non eri tu, chiudi questa pagina.`,
    button: 'Conferma e accedi',
    readyTitle: 'Il tuo indirizzo è confermato',
    notJoined:
      'Il tuo account è pronto, ma non sei entrato nello spazio di lavoro che ti ha invitato.',
  },
  reset: {
    title: 'Scegli una nuova password',
    text: (email) => `Per ${email}. Tutte le altre sessioni verranno chiuse.`,
    label: 'Nuova password (almeno 10 caratteri)',
    button: 'Salva password',
    done: {
      title: 'Password cambiata',
      text: 'Tutte le sessioni sono chiuse. Accedi con la nuova password.',
    },
  },
  change: {
    approveTitle: 'Approva la nuova email',
    confirmTitle: 'Conferma la nuova email',
    facts: (name, email, newEmail) =>
      `L’account di ${name} (${email}) passa a ${newEmail} quando entrambi gli indirizzi avranno confermato.`,
    warning:
      'Se non è il tuo account, chiudi questa pagina: confermando gli daresti il tuo indirizzo.',
    password: 'Inserisci la password di quell’account, o prima accedi da questo browser.',
    approve: 'Approva',
    confirm: 'Conferma',
    done: 'Confermato',
    changed: 'Il tuo account ora usa il nuovo indirizzo.',
    almost: 'Quasi fatto. Ora conferma l’email inviata all’altro indirizzo.',
  },
  code: {
    title: 'Inserisci il codice',
    text: 'Inserisci le sei cifre della tua app di autenticazione, o un codice di riserva.',
    label: 'Codice',
  },
  invitation: {
    title: (workspace) => `Invito a ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} ti invita nello spazio di lavoro ${workspace}, con il ruolo di ${role}. L’invito è per ${email} e scade il ${day}.`,
    formerMember: 'Un ex membro',
    accept: 'Accetta',
    decline: 'Rifiuta',
    otherAccount: (email) =>
      `Hai effettuato l’accesso come ${email}. Questo invito è per un altro indirizzo.`,
    toAnswer: (email) => `Per rispondere, accedi con ${email}.`,
    toAnswerOrSignUp: (email) =>
      `Per rispondere, accedi con ${email}, o registrati se non hai ancora un account.`,
    provider: (name) => `Continua con ${name}`,
    signUp: 'Registrati ed entra',
    unknown: {
      title: 'Invito non trovato',
      text: 'Forse un’email più recente lo ha sostituito. Apri il link dell’ultima, o chiedi un nuovo invito.',
    },
    closed: 'Questo invito è chiuso',
    statuses: {
      accepted: 'Questo invito è già stato accettato.',
      rejected: 'Questo invito è stato rifiutato.',
      canceled: 'Questo invito è stato annullato.',
      expired: 'Questo invito è scaduto.',
    },
    joined: (workspace) => `Sei entrato in ${workspace}`,
    role: (role) => `Il tuo ruolo è ${role}.`,
    declined: 'Hai rifiutato l’invito',
    declinedText: (workspace) =>
      `Non sei entrato in ${workspace}. I suoi amministratori vedono la tua risposta.`,
  },
  report: {
    title: 'Segnala un link breve',
    intro:
      'La segnalazione arriva all’operatore di questo servizio. Il proprietario del link può leggere il testo, ma non il tuo indirizzo email.',
    url: 'Link breve',
    reason: 'Che cosa non va?',
    reasons: {
      phishing: 'Imita un altro sito',
      malware: 'Offre software dannoso',
      spam: 'È spam',
      other: 'Altro',
    },
    details: 'Che cosa è successo? (facoltativo)',
    email: 'La tua email, per domande (facoltativa)',
    send: 'Invia segnalazione',
    sent: {
      title: 'Grazie per la segnalazione',
      text: 'L’operatore di questo servizio esaminerà il link. Puoi chiudere questa pagina.',
    },
  },
  failed: {
    title: 'Non ha funzionato',
    fix: 'Torna indietro, correggi il problema e riprova.',
    wait: 'Riprova tra un momento.',
  },
  errors: {
    length: 'La password deve avere da 10 a 256 caratteri.',
    weak: 'Questa password è facile da indovinare. Scegline una più lunga, per esempio alcune parole senza legame.',
    required: 'Inserisci la password.',
    url: 'Non è un link breve di questo servizio, come https://links.example.com/spring.',
    VALIDATION_ERROR: 'Un valore non è valido.',
    UNAUTHORIZED: 'Accedi di nuovo.',
    INVALID_CREDENTIALS: 'La password è errata.',
    INVALID_CODE: 'Questo codice non è valido.',
    FORBIDDEN: 'Questo non è permesso.',
    NOT_FOUND: 'Questo non esiste più.',
    CONFLICT: 'Non corrisponde allo stato attuale. Forse è già stato fatto.',
    GONE: 'Il link è scaduto o è già stato usato.',
    PLAN_LIMIT_REACHED: 'Lo spazio di lavoro ha raggiunto un limite del suo piano.',
    RATE_LIMITED: 'Troppi tentativi. Riprova più tardi.',
    UNAVAILABLE: 'Il servizio non è disponibile al momento.',
    INTERNAL_ERROR: 'Qualcosa è andato storto sul server.',
  },
}
