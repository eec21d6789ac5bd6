import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Lien introuvable',
      text: 'Vérifiez que l’adresse ne contient pas de faute de frappe. Le lien a peut-être été désactivé ou supprimé.',
    },
    pending: {
      title: 'Ce lien n’est pas encore disponible',
      text: 'Revenez plus tard ou demandez à l’expéditeur quand il sera ouvert.',
    },
    expired: {
      title: 'Ce lien a expiré',
      text: 'Il fonctionnait jusqu’à une date choisie par son propriétaire. Demandez-en un nouveau à l’expéditeur.',
    },
    exhausted: {
      title: 'Ce lien a atteint sa limite de clics',
      text: 'Il ne pouvait être ouvert qu’un nombre limité de fois. Demandez-en un nouveau à l’expéditeur.',
    },
    suspended: {
      title: 'Ce lien est hors service',
      text: 'Le compte auquel il appartient n’est pas actif. Demandez à l’expéditeur où il devait mener.',
    },
    blocked: {
      title: 'Ce lien a été bloqué',
      text: 'L’opérateur de ce service l’a retiré. Si un message vous a conduit ici, méfiez-vous de tout ce qu’il demande d’autre.',
    },
    noPreview: {
      title: 'Aucun aperçu pour cette adresse',
      text: 'Soit ce lien n’existe pas, soit il ne montre pas où il mène.',
    },
    malformed: {
      title: 'Cette adresse n’est pas valide',
      text: 'Elle contient des caractères qu’aucun lien n’utilise. Vérifiez que vous l’avez copiée en entier.',
    },
    tooLong: {
      title: 'Cette adresse est trop longue',
      text: 'Vérifiez que rien d’autre n’a été copié avec le lien.',
    },
    unavailable: {
      title: 'Veuillez réessayer',
      text: 'Nous ne pouvons pas retrouver ce lien pour le moment. Réessayez dans quelques secondes.',
    },
    broken: {
      title: 'Une erreur s’est produite',
      text: 'Le problème vient de notre côté. Réessayez dans quelques secondes.',
    },
  },
  error: 'Erreur',
  reportAbuse: 'Signaler un abus',
  password: {
    title: 'Ce lien demande un mot de passe',
    intro: 'Saisissez le mot de passe reçu avec le lien.',
    wrong: 'Ce mot de passe est incorrect. Vérifiez-le et réessayez.',
    label: 'Mot de passe',
    open: 'Ouvrir le lien',
    cookie: 'Un cookie garde le lien ouvert dans ce navigateur pendant 12 heures.',
  },
  attempts: {
    title: 'Trop de tentatives',
    wait: (time) => `Ce mot de passe n’a pas été vérifié. Réessayez dans ${time}.`,
    back: 'Retour au lien',
  },
  app: {
    title: 'Ce lien ouvre une application',
    without: (host) => `Si vous n’avez pas l’application, continuez vers ${host}.`,
    open: 'Ouvrir l’application',
    browser: 'Continuer dans le navigateur',
  },
  inspection: {
    title: 'Ce lien mène à',
    conditional: 'Il peut mener ailleurs selon l’appareil, le lieu ou l’heure.',
    mixedScript:
      'Attention : le nom de site de cette adresse mélange des alphabets ou utilise des lettres qui ressemblent à des lettres latines. Assurez-vous qu’il s’agit bien du site attendu.',
  },
}
