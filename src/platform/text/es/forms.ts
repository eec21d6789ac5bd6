import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  openDashboard: 'Abrir el panel',
  gone: {
    title: 'Este enlace ya no funciona',
    text: 'El enlace ha caducado, ya se usó o fue sustituido por uno más reciente. Hay que pedir uno nuevo.',
  },
  verify: {
    title: 'Confirmar el correo',
    here: (email) => `El registro con ${email} se hizo en este navegador.`,
    elsewhere: (email) =>
      `Aquí va la contraseña elegida al registrarse con ${email}. Si fue otra persona, basta con cerrar esta página.`,
    button: 'Confirmar e iniciar sesión',
    readyTitle: 'La dirección está confirmada',
    notJoined: 'La cuenta está lista, pero aún no está en el espacio de trabajo de la invitación.',
  },
  reset: {
    title: 'Elegir una contraseña nueva',
    text: (email) => `Para ${email}. Se cerrarán todas las demás sesiones.`,
    label: 'Contraseña nueva (al menos 10 caracteres)',
    button: 'Guardar contraseña',
    done: {
      title: 'Contraseña cambiada',
      text: 'Todas las sesiones están cerradas. Ya se puede iniciar sesión con la contraseña nueva.',
    },
  },
  change: {
    approveTitle: 'Aprobar la nueva dirección',
    confirmTitle: 'Confirmar la nueva dirección',
    facts: (name, email, newEmail) =>
      `La cuenta de ${name} (${email}) pasará a ${newEmail} cuando ambas direcciones lo confirmen.`,
    warning:
      'Si la cuenta es de otra persona, hay que cerrar esta página: al confirmar, se le daría esta dirección.',
    password:
      'Hace falta la contraseña de esa cuenta, o iniciar sesión en ella antes en este navegador.',
    approve: 'Aprobar',
    confirm: 'Confirmar',
    done: 'Confirmado',
    changed: 'La cuenta usa ahora la nueva dirección.',
    almost: 'Casi listo. Falta confirmar el correo enviado a la otra dirección.',
  },
  code: {
    title: 'Código de acceso',
    text: 'Los seis dígitos de la aplicación de autenticación, o un código de respaldo.',
    label: 'Código',
  },
  invitation: {
    title: (workspace) => `Invitación a ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `Invitación de ${inviter} al espacio de trabajo ${workspace}, con el rol de ${role}. Es para ${email} y caduca el ${day}.`,
    formerMember: 'un antiguo miembro',
    accept: 'Aceptar',
    decline: 'Rechazar',
    otherAccount: (email) =>
      `La sesión actual es de ${email}. Esta invitación es para otra dirección.`,
    toAnswer: (email) => `Para responder, hay que iniciar sesión con ${email}.`,
    toAnswerOrSignUp: (email) =>
      `Para responder, hay que iniciar sesión con ${email}, o registrarse si aún no hay cuenta.`,
    provider: (name) => `Continuar con ${name}`,
    signUp: 'Registrarse y unirse',
    unknown: {
      title: 'Invitación no encontrada',
      text: 'Quizá la sustituyó un correo más reciente. Conviene abrir el enlace del último o pedir otra invitación.',
    },
    closed: 'Esta invitación está cerrada',
    statuses: {
      accepted: 'Esta invitación ya está aceptada.',
      rejected: 'Esta invitación fue rechazada.',
      canceled: 'Esta invitación fue cancelada.',
      expired: 'Esta invitación ha caducado.',
    },
    joined: (workspace) => `Ya en ${workspace}`,
    role: (role) => `Rol: ${role}.`,
    declined: 'Invitación rechazada',
    declinedText: (workspace) =>
      `No habrá acceso a ${workspace}. Sus administradores ven la respuesta.`,
  },
  report: {
    title: 'Denunciar un enlace corto',
    intro:
      'La denuncia llega al operador de este servicio. El propietario del enlace puede leer el texto, pero no la dirección de correo.',
    url: 'Enlace corto',
    reason: '¿Qué problema tiene?',
    reasons: {
      phishing: 'Imita otro sitio',
      malware: 'Ofrece software dañino',
      spam: 'Es spam',
      other: 'Otra cosa',
    },
    details: '¿Qué ocurrió? (opcional)',
    email: 'Correo, para preguntas (opcional)',
    send: 'Enviar denuncia',
    sent: {
      title: 'Gracias por la denuncia',
      text: 'El operador de este servicio revisará el enlace. Esta página ya se puede cerrar.',
    },
  },
  failed: {
    title: 'No ha funcionado',
    fix: 'Conviene volver atrás, corregir el problema e intentarlo de nuevo.',
    wait: 'Conviene intentarlo de nuevo en un momento.',
  },
  errors: {
    length: 'La contraseña debe tener de 10 a 256 caracteres.',
    weak: 'Esta contraseña es fácil de adivinar. Es mejor una más larga, como varias palabras sin relación.',
    required: 'Falta la contraseña.',
    url: 'No es un enlace corto de este servicio, como https://links.example.com/spring.',
    VALIDATION_ERROR: 'Hay un dato que no es válido.',
    UNAUTHORIZED: 'Hay que iniciar sesión de nuevo.',
    INVALID_CREDENTIALS: 'La contraseña no es correcta.',
    INVALID_CODE: 'Este código no es válido.',
    FORBIDDEN: 'Esto no está permitido.',
    NOT_FOUND: 'Esto ya no existe.',
    CONFLICT: 'No corresponde al estado actual. Quizá ya está hecho.',
    GONE: 'El enlace ha caducado o ya se usó.',
    PLAN_LIMIT_REACHED: 'El espacio de trabajo ha alcanzado un límite de su plan.',
    RATE_LIMITED: 'Demasiados intentos. Conviene probar un poco más tarde.',
    UNAVAILABLE: 'El servicio no está disponible ahora.',
    INTERNAL_ERROR: 'Algo ha fallado en el servidor.',
  },
}
