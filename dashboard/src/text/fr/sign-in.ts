import type { messages as english } from '../en/sign-in.ts'

export const messages: typeof english = () => ({
  signIn: {
    title: 'Connexion',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    passkey: 'Utiliser un passkey',
    provider: (name) => `Continuer avec ${name}`,
    secondStep: 'Encore une étape',
    code: 'Code',
    codeHint: 'Six chiffres de votre application d’authentification, ou un code de secours.',
    verify: 'Continuer',
    noAccount: 'Pas encore de compte ?',
    toSignUp: 'S’inscrire',
    forgot: 'Mot de passe oublié ?',
    sendAgain: 'Renvoyer l’e-mail',
    sentAgain: 'Envoyé',
    again: 'Recommencer',
    closed: 'Les inscriptions sont fermées sur ce serveur. Demandez un compte à son opérateur.',
    invite: 'Inscription sur invitation : utilisez l’adresse invitée.',
  },
  forgot: {
    title: 'Définir un nouveau mot de passe',
    submit: 'Envoyer le lien',
    sent: (email) =>
      `Si ${email} a un compte, nous y avons envoyé un lien pour définir un nouveau mot de passe.`,
  },
  signUp: {
    title: 'Créez votre compte',
    name: 'Votre nom',
    submit: 'S’inscrire',
    submitInvited: 'S’inscrire et rejoindre',
    invitedHint: 'L’invitation est pour cette adresse.',
    passwordHint: 'Au moins 10 caractères, difficile à deviner.',
    passwordLength: (least) =>
      `Au moins ${least} caractères, difficile à deviner. Plusieurs mots sans rapport conviennent bien.`,
    closedTitle: 'Inscriptions fermées',
    hasAccount: 'Déjà un compte ?',
    mailTitle: 'Consultez vos e-mails',
    mailSent: (email) => `Nous avons envoyé un lien à ${email}. Il vous connecte.`,
    mailWritten: (email) => `L’e-mail à ${email} contient un lien qui vous connecte.`,
    invitationNeeded: 'Inscription sur invitation : ouvrez le lien de la vôtre.',
  },
  session: {
    title: {
      'signed-out': 'Vous avez été déconnecté',
      'not-fresh': 'Confirmez que c’est bien vous',
    },
    explain: {
      'signed-out': 'Connectez-vous pour continuer. Rien de ce que vous avez saisi n’est perdu.',
      'not-fresh': 'Cette modification demande une connexion récente.',
    },
    switched: 'Connecté avec un autre compte',
    explainSwitched: (email) =>
      `Cette page avait été ouverte par ${email}. Ses modifications non enregistrées ont été abandonnées ; rien n’a été envoyé avec l’autre compte.`,
    goOn: 'Continuer avec l’autre compte',
  },
})
