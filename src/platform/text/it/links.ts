import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Link non trovato',
      text: 'Controlla che l’indirizzo non contenga errori. Il link potrebbe anche essere stato disattivato o eliminato.',
    },
    pending: {
      title: 'Questo link non è ancora disponibile',
      text: 'Torna più tardi o chiedi al mittente quando si apre.',
    },
    expired: {
      title: 'Questo link è scaduto',
      text: 'Ha funzionato fino a una data scelta dal proprietario. Chiedine uno nuovo al mittente.',
    },
    exhausted: {
      title: 'Questo link ha raggiunto il limite di clic',
      text: 'Poteva essere aperto un numero limitato di volte. Chiedine uno nuovo al mittente.',
    },
    suspended: {
      title: 'Questo link è fuori servizio',
      text: 'L’account a cui appartiene non è attivo. Chiedi al mittente dove doveva portare.',
    },
    blocked: {
      title: 'Questo link è stato bloccato',
      text: 'Il gestore di questo servizio lo ha rimosso. Se ti ha portato qui un messaggio, diffida di qualsiasi altra sua richiesta.',
    },
    noPreview: {
      title: 'Nessuna anteprima per questo indirizzo',
      text: 'Il link non esiste oppure non mostra dove porta.',
    },
    malformed: {
      title: 'Questo indirizzo non è valido',
      text: 'Contiene caratteri che nessun link usa. Controlla di averlo copiato per intero.',
    },
    tooLong: {
      title: 'Questo indirizzo è troppo lungo',
      text: 'Controlla di non aver copiato altro insieme al link.',
    },
    unavailable: {
      title: 'Riprova',
      text: 'Al momento non riusciamo a cercare questo link. Riprova tra qualche secondo.',
    },
    broken: {
      title: 'Qualcosa è andato storto',
      text: 'Il problema è nostro. Riprova tra qualche secondo.',
    },
  },
  error: 'Errore',
  reportAbuse: 'Segnala un abuso',
  password: {
    title: 'Questo link richiede una password',
    intro: 'Inserisci la password ricevuta con il link.',
    wrong: 'La password è errata. Controllala e riprova.',
    label: 'Password',
    open: 'Apri link',
    cookie: 'Un cookie mantiene il link aperto in questo browser per 12 ore.',
  },
  attempts: {
    title: 'Troppi tentativi',
    wait: (time) => `La password non è stata verificata. Riprova tra ${time}.`,
    back: 'Torna al link',
  },
  app: {
    title: 'Questo link apre un’app',
    without: (host) => `Se non hai l’app, continua su ${host}.`,
    open: 'Apri l’app',
    browser: 'Continua nel browser',
  },
  inspection: {
    title: 'Questo link porta a',
    conditional: 'Può portare altrove a seconda del dispositivo, del luogo o dell’ora.',
    mixedScript:
      'Attenzione: il nome del sito in questo indirizzo mescola alfabeti o usa lettere simili a quelle latine. Assicurati che sia il sito che ti aspetti.',
  },
}
