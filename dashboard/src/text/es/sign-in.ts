import type { messages as english } from '../en/sign-in.ts'

export const messages: typeof english = () => ({
  signIn: {
    title: 'Iniciar sesión',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    passkey: 'Usar una llave de acceso',
    provider: (name) => `Continuar con ${name}`,
    secondStep: 'Un paso más',
    code: 'Código',
    codeHint: 'Seis cifras de la aplicación de autenticación, o un código de respaldo.',
    verify: 'Continuar',
    noAccount: '¿Aún sin cuenta?',
    toSignUp: 'Registrarse',
    forgot: '¿Contraseña olvidada?',
    sendAgain: 'Volver a enviar el correo',
    sentAgain: 'Enviado',
    again: 'Empezar de nuevo',
    closed: 'El registro está cerrado en este servidor. Su operador puede crear una cuenta.',
    invite: 'El registro es por invitación: hay que usar la dirección invitada.',
  },
  forgot: {
    title: 'Definir una contraseña nueva',
    submit: 'Enviar el enlace',
    sent: (email) =>
      `Si ${email} tiene una cuenta, va en camino un enlace para definir una contraseña nueva.`,
  },
  signUp: {
    title: 'Crear una cuenta',
    name: 'Nombre',
    submit: 'Registrarse',
    submitInvited: 'Registrarse y unirse',
    invitedHint: 'La invitación es para esta dirección.',
    passwordHint: 'Al menos 10 caracteres, difícil de adivinar.',
    passwordLength: (least) =>
      `Al menos ${least} caracteres, difícil de adivinar. Varias palabras sin relación funcionan bien.`,
    closedTitle: 'El registro está cerrado',
    hasAccount: '¿Ya existe una cuenta?',
    mailTitle: 'Falta revisar el correo',
    mailSent: (email) => `Se envió un enlace a ${email}. Al abrirlo se inicia sesión.`,
    mailWritten: (email) => `El correo para ${email} contiene un enlace que inicia sesión.`,
    invitationNeeded: 'El registro es por invitación: hay que abrir el enlace que contiene.',
  },
  session: {
    title: { 'signed-out': 'La sesión se ha cerrado', 'not-fresh': 'Confirmar la identidad' },
    explain: {
      'signed-out': 'Para continuar hay que iniciar sesión. No se pierde nada de lo escrito.',
      'not-fresh': 'Este cambio requiere un inicio de sesión reciente.',
    },
    switched: 'Sesión iniciada con otra cuenta',
    explainSwitched: (email) =>
      `Esta página se abrió con la cuenta ${email}. Se descartaron sus cambios sin guardar; no se envió nada con la otra cuenta.`,
    goOn: 'Continuar con la otra cuenta',
  },
})
